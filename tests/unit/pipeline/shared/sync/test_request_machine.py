"""The request table against a model of it: requests, runs, failures, crashes, clocks, restarts.

No request is lost, none is held by two runs, none is tried more than three times for one target,
and a wish to fetch survives all of it. Heads only go forward, as the wiki's do.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from zp_pipeline.shared.sync.models import MAX_ATTEMPTS, Failure, Request, Target
from zp_pipeline.shared.sync.repository import RequestTable

SOURCES = st.sampled_from(["sensor", "cli", "http", "webhook"])
REASONS = st.sampled_from([Failure("cut", "", False), Failure("refused", "", True)])


class RequestMachine(RuleBasedStateMachine):
    """What each run holds is the model; the table must say the same."""

    live = Bundle("live")
    gone = Bundle("gone")

    def __init__(self) -> None:
        """Begin with an empty table in a directory of its own."""
        super().__init__()
        self.directory = TemporaryDirectory()
        self.url = f"sqlite:///{Path(self.directory.name) / 'sync.sqlite'}"
        self.time = datetime(2026, 3, 1, tzinfo=UTC)
        self.table = RequestTable(self.url, lambda: self.time)
        self.wishes: dict[int, bool] = {}
        self.jobs: dict[int, str] = {}
        self.held: dict[str, set[int]] = {}
        self.queued: set[int] = set()
        self.finished: dict[int, Request] = {}
        self.tries: Counter[tuple[int, int]] = Counter()
        self.head = 0
        self.runs = 0

    @property
    def target(self) -> Target:
        """The head and the settings, which stay."""
        return Target(f"{self.head:012x}", "settings")

    @rule(source=SOURCES, pull=st.booleans())
    def enqueue(self, source: str, pull: bool) -> None:
        """Somebody asks."""
        request = self.table.enqueue(source, pull=pull)  # type: ignore[arg-type]
        assert request.seq > max(self.jobs, default=0)
        self.wishes[request.seq], self.jobs[request.seq] = pull, request.job_id
        self.queued.add(request.seq)

    @rule()
    def push(self) -> None:
        """The wiki gets a commit."""
        self.head += 1

    @rule(target=live, some=st.booleans(), data=st.data())
    def start_run(self, some: bool, data: st.DataObject) -> str:
        """A run claims all that is queued, or what was when it was requested."""
        self.runs += 1
        run_id, upto = f"run-{self.runs}", None
        if some and self.queued:
            upto = data.draw(st.sampled_from(sorted(self.queued)))
        expected = {seq for seq in self.queued if upto is None or seq <= upto}
        claim = self.table.claim(run_id, self.target, upto)
        assert {request.seq for request in claim.requests} == expected
        assert claim.pull == any(self.wishes[seq] for seq in expected)
        self.tries.update((seq, self.head) for seq in expected)
        self.queued -= expected
        self.held[run_id] = expected
        return run_id

    @rule(target=live)
    def start_by_hand(self) -> str:
        """Somebody starts a run in the UI."""
        self.runs += 1
        run_id = f"run-{self.runs}"
        request = self.table.record_run(run_id, self.target)
        self.wishes[request.seq], self.jobs[request.seq] = False, request.job_id
        self.held[run_id] = {request.seq}
        return run_id

    @rule(target=gone, run_id=consumes(live))
    def succeed(self, run_id: str) -> str:
        """A run ends well."""
        rows = self.table.succeed(run_id, {"head": self.head})
        assert all(row.state == "succeeded" for row in rows)
        self._settle(run_id, rows)
        return run_id

    @rule(target=gone, run_id=consumes(live), failure=REASONS)
    def fail(self, run_id: str, failure: Failure) -> str:
        """A run ends badly."""
        rows = self.table.fail(run_id, failure)
        for row in rows:
            last = failure.permanent or row.attempts == MAX_ATTEMPTS or row.source == "ui"
            assert row.state == ("failed" if last else "queued")
        self._settle(run_id, rows)
        return run_id

    @rule(target=gone, run_id=consumes(live))
    def crash(self, run_id: str) -> str:
        """A run's process dies, and somebody notices."""
        self._settle(run_id, self.table.abandon(run_id))
        return run_id

    @rule(run_id=gone, failure=REASONS)
    def come_back(self, run_id: str, failure: Failure) -> None:
        """A run that was given up reports after all."""
        assert self.table.set_phase(run_id, "publish") == ()
        assert self.table.succeed(run_id, {}) == ()
        assert self.table.fail(run_id, failure) == ()

    @rule(days=st.integers(-4000, 4000))
    def jump(self, days: int) -> None:
        """The clock is set."""
        self.time = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=days)

    @rule()
    def restart(self) -> None:
        """The process that holds the table open is replaced."""
        self.table.close()
        self.table = RequestTable(self.url, lambda: self.time)

    @invariant()
    def nothing_is_lost_and_nothing_held_twice(self) -> None:
        """Every request is where the model has it."""
        opened = self.table.status().active
        held = {r.seq: r.run_id for r in opened if r.state == "running"}
        assert held == {seq: run for run, seqs in self.held.items() for seq in seqs}
        assert {r.seq for r in opened if r.state == "queued"} == self.queued
        assert set(self.jobs) == set(held) | self.queued | set(self.finished)

    @invariant()
    def wishes_stay_and_tries_are_bounded(self) -> None:
        """What was asked for is what is kept; no request has a fourth try."""
        assert max(self.tries.values(), default=0) <= MAX_ATTEMPTS
        for request in self.table.status().active:
            assert request.pull == self.wishes[request.seq]

    def teardown(self) -> None:
        """Whatever is open can be ended, and what has ended stays so."""
        for run_id in list(self.held):
            self._settle(run_id, self.table.abandon(run_id))
        last = self.table.succeed_queued("last", self.target, {})
        assert {row.seq for row in last} == self.queued
        assert self.table.status().active == ()
        for seq, request in self.finished.items():
            assert self.table.job(self.jobs[seq]) == request
        self.table.close()
        self.directory.cleanup()

    def _settle(self, run_id: str, rows: tuple[Request, ...]) -> None:
        """Take into the model what became of the requests of a run that ended."""
        assert {row.seq for row in rows} == self.held.pop(run_id)
        self.queued |= {row.seq for row in rows if row.state == "queued"}
        self.finished |= {row.seq: row for row in rows if row.state != "queued"}


TestRequestMachine = RequestMachine.TestCase
TestRequestMachine.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
