"""Each transition of the request table by itself, and what its readers show."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from zp_pipeline.shared.sync.models import Failure, Target
from zp_pipeline.shared.sync.repository import RequestTable

HEAD = Target("a" * 12, "settings")
NEXT = Target("b" * 12, "settings")
CUT = Failure("git_unavailable", "the line was cut")
REFUSED = Failure("gate_refused", "no", permanent=True)


def try_and_fail(table: RequestTable, times: int, target: Target = HEAD) -> None:
    """Claim and fail in the ordinary way, `times` over."""
    for number in range(times):
        table.claim(f"try-{number}", target)
        table.fail(f"try-{number}", CUT)


def test_enqueue_gives_queued_request_with_own_job(
    table: RequestTable, clock: list[datetime]
) -> None:
    first, second = (table.enqueue("http", pull=True) for _ in range(2))
    assert first.job_id != second.job_id
    assert (first.state, first.attempts, first.created_at) == ("queued", 0, clock[-1])
    assert table.job(first.job_id) == first
    assert table.newest_queued() == second


def test_job_unknown_id_gives_none(table: RequestTable) -> None:
    assert table.job("no such job") is None


def test_enqueue_same_delivery_gives_first_request(table: RequestTable) -> None:
    first = table.enqueue("webhook", pull=True, delivery_id="d-1")
    table.succeed_queued("sensor", HEAD, {})
    again = table.enqueue("webhook", pull=True, delivery_id="d-1")
    other = table.enqueue("webhook", pull=True, delivery_id="d-2")
    assert again.job_id == first.job_id
    assert table.status().active == (other,)


def test_enqueue_same_delivery_at_once_makes_one_request(url: str, table: RequestTable) -> None:
    def deliver(_: int) -> int:
        with RequestTable(url) as own:
            return own.enqueue("webhook", pull=True, delivery_id="d-1").seq

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(deliver, range(16)))) == 1


def test_claim_covers_all_queued_and_keeps_their_wishes(table: RequestTable) -> None:
    first = table.enqueue("http", pull=True)
    table.enqueue("cli", pull=False)
    newest = table.enqueue("sensor", pull=False)
    claim = table.claim("run", HEAD)
    assert claim.pull
    assert [r.covered_by for r in claim.requests] == [newest.seq, newest.seq, None]
    job = table.job(first.job_id)
    assert job
    assert (job.state, job.phase, job.attempts) == ("running", "lock_wait", 1)
    assert (job.commit, job.run_id) == (HEAD.commit, "run")


def test_claim_upto_leaves_later_requests_queued(table: RequestTable) -> None:
    first = table.enqueue("sensor", pull=False)
    later = table.enqueue("http", pull=True)
    claim = table.claim("run", HEAD, upto=first.seq)
    assert [request.seq for request in claim.requests] == [first.seq]
    assert not claim.pull
    assert table.newest_queued() == later


def test_claim_second_run_gets_only_the_follow_up(table: RequestTable) -> None:
    table.enqueue("sensor", pull=True)
    table.claim("run-1", HEAD)
    assert table.claim("run-2", HEAD).requests == ()
    follow_up = table.enqueue("webhook", pull=True)
    assert [r.seq for r in table.claim("run-2", NEXT).requests] == [follow_up.seq]


def test_claim_again_by_same_run_counts_once(table: RequestTable) -> None:
    table.enqueue("sensor", pull=True)
    claim = table.claim("run", HEAD)
    table.enqueue("http", pull=True)
    assert table.claim("run", HEAD) == claim


def test_claim_by_many_at_once_gives_each_request_to_one(url: str, table: RequestTable) -> None:
    for _ in range(10):
        table.enqueue("http", pull=False)

    def claim(number: int) -> int:
        with RequestTable(url) as own:
            return len(own.claim(f"run-{number}", HEAD).requests)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(claim, range(8))) == [0] * 7 + [10]


def test_set_phase_shows_in_every_covered_job(table: RequestTable) -> None:
    jobs = [table.enqueue("http", pull=True).job_id for _ in range(2)]
    table.claim("run", HEAD)
    table.set_phase("run", "build")
    assert [request.phase for request in table.running()] == ["build", "build"]
    assert [request.job_id for request in table.running()] == jobs


def test_succeed_finishes_every_covered_job_with_the_result(
    table: RequestTable, clock: list[datetime]
) -> None:
    jobs = [table.enqueue("http", pull=True).job_id for _ in range(2)]
    try_and_fail(table, 1)
    table.claim("run", HEAD)
    clock.append(clock[-1] + timedelta(seconds=9))
    table.succeed("run", {"documents": 150})
    for job in (table.job(job_id) for job_id in jobs):
        assert job
        assert (job.state, job.phase, job.error_reason) == ("succeeded", None, None)
        assert (job.result, job.finished_at) == ({"documents": 150}, clock[-1])


def test_fail_ordinary_requeues_with_the_error_shown(table: RequestTable) -> None:
    table.enqueue("http", pull=True)
    table.claim("run", HEAD)
    (request,) = table.fail("run", CUT)
    assert (request.state, request.attempts, request.phase) == ("queued", 1, None)
    assert (request.error_reason, request.error_detail) == (CUT.reason, CUT.detail)
    assert table.claim("run-2", HEAD).pull


def test_fail_ordinary_leaves_requests_uncovered(table: RequestTable) -> None:
    table.enqueue("http", pull=True)
    table.enqueue("http", pull=True)
    table.claim("run", HEAD)
    assert [request.covered_by for request in table.fail("run", CUT)] == [None, None]


def test_fail_third_time_is_failed_and_visible(table: RequestTable) -> None:
    request = table.enqueue("http", pull=True)
    try_and_fail(table, 2)
    assert not table.already_failed(HEAD)
    table.claim("last", HEAD)
    table.set_phase("last", "git")
    (failed,) = table.fail("last", CUT)
    assert (failed.state, failed.attempts, failed.phase) == ("failed", 3, "git")
    assert table.status().last_failure == failed == table.job(request.job_id)
    assert table.already_failed(HEAD)
    assert not table.already_failed(NEXT)


def test_fail_permanent_fails_at_once(table: RequestTable) -> None:
    table.enqueue("sensor", pull=True)
    table.claim("run", HEAD)
    (failed,) = table.fail("run", REFUSED)
    assert (failed.state, failed.attempts) == ("failed", 1)
    assert table.status().active == ()


def test_fail_other_target_counts_anew(table: RequestTable) -> None:
    table.enqueue("http", pull=True)
    try_and_fail(table, 2, HEAD)
    try_and_fail(table, 2, NEXT)
    (waiting,) = table.status().active
    assert (waiting.attempts, waiting.commit) == (2, NEXT.commit)


def test_fail_request_that_joins_shares_the_count(table: RequestTable) -> None:
    table.enqueue("sensor", pull=True)
    try_and_fail(table, 2)
    table.enqueue("http", pull=True)
    claim = table.claim("last", HEAD)
    assert [request.attempts for request in claim.requests] == [3, 3]
    assert [request.state for request in table.fail("last", CUT)] == ["failed", "failed"]


def test_enqueue_after_failed_counts_anew_and_clears_it(table: RequestTable) -> None:
    table.enqueue("sensor", pull=True)
    try_and_fail(table, 3)
    table.enqueue("http", pull=True)
    (request,) = table.claim("run", HEAD).requests
    assert request.attempts == 1
    table.succeed("run", {})
    assert not table.already_failed(HEAD)


def test_fail_queued_unknown_head_counts_too(table: RequestTable) -> None:
    unreachable = Target(None, "settings")
    table.enqueue("http", pull=True)
    (request,) = table.fail_queued("sensor", unreachable, CUT)
    assert (request.state, request.attempts) == ("queued", 1)
    for _ in range(2):
        (request,) = table.fail_queued("sensor", unreachable, CUT)
    assert (request.state, request.attempts) == ("failed", 3)


def test_succeed_queued_finishes_without_a_run(table: RequestTable) -> None:
    first = table.enqueue("sensor", pull=True)
    later = table.enqueue("http", pull=True)
    (done,) = table.succeed_queued("sensor", HEAD, {"published": True}, upto=first.seq)
    assert (done.seq, done.state, done.commit) == (first.seq, "succeeded", HEAD.commit)
    assert table.status().active == (later,)


def test_abandon_counts_as_an_attempt(table: RequestTable) -> None:
    table.enqueue("cli", pull=True)
    for number in (1, 2, 3):
        table.claim(f"run-{number}", HEAD)
        (request,) = table.abandon(f"run-{number}")
        assert request.attempts == number
    assert (request.state, request.error_reason) == ("failed", "orphaned")


@pytest.mark.parametrize("late", ["succeed", "fail", "set_phase", "abandon"])
def test_given_up_run_moves_nothing(table: RequestTable, late: str) -> None:
    arguments = {"succeed": ({},), "fail": (REFUSED,), "set_phase": ("publish",), "abandon": ()}
    table.enqueue("cli", pull=True)
    table.claim("run-1", HEAD)
    table.abandon("run-1")
    before = table.claim("run-2", HEAD).requests
    assert getattr(table, late)("run-1", *arguments[late]) == ()
    assert table.running() == before


def test_record_run_takes_nothing_from_the_queue(table: RequestTable) -> None:
    waiting = table.enqueue("http", pull=True)
    recorded = table.record_run("by-hand", NEXT)
    assert (recorded.source, recorded.state, recorded.commit) == ("ui", "running", NEXT.commit)
    assert table.record_run("by-hand", NEXT) == recorded
    assert table.status().active == (waiting, recorded)
    assert table.newest_queued() == waiting


def test_record_run_failing_fails_at_once_but_binds_no_sensor(table: RequestTable) -> None:
    table.record_run("by-hand", HEAD)
    (failed,) = table.fail("by-hand", CUT)
    assert (failed.state, failed.attempts) == ("failed", 1)
    assert table.status().last_failure == failed
    assert not table.already_failed(HEAD)


def test_status_shows_active_last_ends_and_worker(
    table: RequestTable, clock: list[datetime]
) -> None:
    assert table.status().worker_seen_at is None
    ends = []
    for run_id in ("ok", "bad"):
        table.enqueue("http", pull=False)
        table.claim(run_id, HEAD)
        ends.append(table.fail(run_id, REFUSED) if run_id == "bad" else table.succeed(run_id, {}))
    waiting = table.enqueue("http", pull=False)
    clock.append(clock[-1] - timedelta(days=400))
    table.beat()
    status = table.status()
    assert ((status.last_success,), (status.last_failure,)) == tuple(ends)
    assert (status.active, status.worker_seen_at) == ((waiting,), clock[-1])


def test_request_table_reopened_knows_everything(url: str, table: RequestTable) -> None:
    table.enqueue("http", pull=True)
    table.claim("run", HEAD)
    table.enqueue("webhook", pull=True, delivery_id="d-1")
    before = table.status().active
    table.close()
    with RequestTable(url) as reopened:
        assert reopened.status().active == before


def test_enqueue_prunes_old_finished_requests_only(url: str) -> None:
    with RequestTable(url, keep=3) as table:
        running = table.record_run("by-hand", HEAD)
        table.enqueue("http", pull=False)
        (failure,) = table.fail_queued("sensor", HEAD, REFUSED)
        jobs = []
        for _ in range(6):
            jobs.append(table.enqueue("http", pull=False).job_id)
            table.succeed_queued("sensor", HEAD, {})
        assert [table.job(job) is not None for job in jobs] == [False] * 2 + [True] * 4
        assert table.running() == (running,)
        assert table.status().last_failure == failure
