"""The sensor and the request table around real runs: coalescing, tries, orphans, runs by hand."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest

from tests.support.git_wiki import GitWiki
from tests.support.homes import workspace_for
from tests.support.interruptions import fail, interrupted
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.build_defs import build_defs
from zp_pipeline.orchestration.instance import open_instance
from zp_pipeline.orchestration.jobs import BUILD_JOB
from zp_pipeline.orchestration.partitions import KEY_LENGTH, PARTITIONS_NAME
from zp_pipeline.orchestration.sensors import tick, wiki_head_sensor
from zp_pipeline.shared.sync.models import MAX_ATTEMPTS

OpenHome = Callable[[], Workspace]


@pytest.fixture
def instance(open_home: OpenHome) -> Iterator[dg.DagsterInstance]:
    with open_instance(open_home().dagster_home) as instance:
        yield instance


def run_requested(
    result: dg.SensorResult, workspace: Workspace, instance: dg.DagsterInstance
) -> bool:
    """Do what the daemon does with a sensor's only run request."""
    assert result.run_requests is not None
    (request,) = result.run_requests
    return run_partition(str(request.partition_key), dict(request.tags), workspace, instance)


def run_partition(
    key: str, tags: dict[str, str], workspace: Workspace, instance: dg.DagsterInstance
) -> bool:
    instance.add_dynamic_partitions(PARTITIONS_NAME, [key])
    job = build_defs(lambda: workspace).resolve_job_def(BUILD_JOB)
    done = job.execute_in_process(
        instance=instance, partition_key=key, tags=tags, raise_on_error=False
    )
    return done.success


def test_tick_new_head_asks_for_one_run_and_then_rests(
    open_home: OpenHome, wiki: GitWiki, instance: dg.DagsterInstance
) -> None:
    result = tick(open_home(), instance)
    assert run_requested(result, open_home(), instance)
    assert not tick(open_home(), instance).run_requests
    pointer = open_home().store.pointer()
    assert pointer is not None
    assert pointer.current.commit == wiki.head()


def test_tick_many_requests_and_pushes_become_one_run_of_the_newest(
    open_home: OpenHome, wiki: GitWiki, instance: dg.DagsterInstance
) -> None:
    for number in range(3):
        wiki.push({"pages/nova.md": f"# Nová {number}\n"})
    jobs = [open_home().requests.enqueue("http", pull=number == 2).job_id for number in range(5)]
    result = tick(open_home(), instance)
    assert run_requested(result, open_home(), instance)
    rows = [open_home().requests.job(job) for job in jobs]
    assert {row.state for row in rows if row} == {"succeeded"}
    assert {row.commit for row in rows if row} == {wiki.head()[:KEY_LENGTH]}
    assert not tick(open_home(), instance).run_requests


def test_tick_requests_during_a_run_become_exactly_one_follow_up(
    open_home: OpenHome, wiki: GitWiki, instance: dg.DagsterInstance
) -> None:
    first = tick(open_home(), instance)
    wiki.push({"pages/nova.md": "# Nová\n"})
    late = [open_home().requests.enqueue("webhook", pull=True).job_id for _ in range(3)]
    assert run_requested(first, open_home(), instance)
    assert run_requested(tick(open_home(), instance), open_home(), instance)
    assert {open_home().requests.job(job).state for job in late} == {"succeeded"}  # type: ignore[union-attr]
    assert not tick(open_home(), instance).run_requests


def test_tick_request_for_what_is_served_is_answered_without_a_run(
    open_home: OpenHome, instance: dg.DagsterInstance
) -> None:
    run_requested(tick(open_home(), instance), open_home(), instance)
    job = open_home().requests.enqueue("http", pull=True).job_id
    assert not tick(open_home(), instance).run_requests
    row = open_home().requests.job(job)
    assert row is not None
    assert row.result is not None
    assert (row.state, row.result["published"]) == ("succeeded", True)


def test_tick_failing_build_is_tried_three_times_and_then_again_only_when_asked(
    open_home: OpenHome, instance: dg.DagsterInstance
) -> None:
    broken = interrupted(open_home(), "documents", fail)
    for _ in range(MAX_ATTEMPTS):
        assert not run_requested(tick(open_home(), instance), broken, instance)
    assert not tick(open_home(), instance).run_requests
    failure = open_home().requests.status().last_failure
    assert failure is not None
    assert (failure.attempts, failure.error_reason) == (MAX_ATTEMPTS, "build_failed")
    open_home().requests.enqueue("http", pull=True)
    assert run_requested(tick(open_home(), instance), open_home(), instance)


def test_tick_run_keys_of_tries_differ(open_home: OpenHome, instance: dg.DagsterInstance) -> None:
    broken = interrupted(open_home(), "documents", fail)
    first = tick(open_home(), instance)
    run_requested(first, broken, instance)
    second = tick(open_home(), instance)
    assert first.run_requests and second.run_requests
    assert first.run_requests[0].run_key != second.run_requests[0].run_key


def test_tick_run_killed_with_its_machine_is_failed_and_tried_again(
    open_home: OpenHome, instance: dg.DagsterInstance
) -> None:
    request = open_home().requests.enqueue("http", pull=True)
    run_id = start_and_kill(open_home(), request.seq)
    result = tick(open_home(), instance)
    run = instance.get_run_by_id(run_id)
    assert run is not None
    assert run.status == dg.DagsterRunStatus.FAILURE
    assert run_requested(result, open_home(), instance)
    row = open_home().requests.job(request.job_id)
    assert row is not None
    assert (row.state, row.attempts) == ("succeeded", 2)


def start_and_kill(workspace: Workspace, upto: int) -> str:
    """Start a real run in a process of its own that dies in the middle of a step; return its id."""
    arguments = [str(workspace.home), workspace.wiki_url, str(upto)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.dying_run", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode < 0
    return done.stdout.strip()


def test_run_started_by_hand_records_itself(
    open_home: OpenHome, wiki: GitWiki, instance: dg.DagsterInstance
) -> None:
    key = wiki.head()[:KEY_LENGTH]
    assert run_partition(key, {}, open_home(), instance)
    row = open_home().requests.status().last_success
    assert row is not None
    assert (row.source, row.commit) == ("ui", key)


def test_older_commit_built_by_hand_is_kept_as_built(
    open_home: OpenHome, wiki: GitWiki, instance: dg.DagsterInstance
) -> None:
    older = wiki.head()
    wiki.push({"pages/nova.md": "# Nová\n"})
    run_requested(tick(open_home(), instance), open_home(), instance)
    assert run_partition(older[:KEY_LENGTH], {}, open_home(), instance)
    pointer = open_home().store.pointer()
    assert pointer is not None
    assert pointer.current.commit == wiki.head()
    assert {manifest.commit for manifest in open_home().store.manifests()} == {older, wiki.head()}


def test_publication_alone_after_tampering_is_refused(
    open_home: OpenHome, wiki: GitWiki, instance: dg.DagsterInstance
) -> None:
    run_requested(tick(open_home(), instance), open_home(), instance)
    before = open_home().store.pointer_path.read_bytes()
    workspace = open_home()
    tampered = next(workspace.store.artifacts.root.glob("chunks/*/chunks.parquet"))
    tampered.write_bytes(tampered.read_bytes()[:-1])
    defs = build_defs(lambda: workspace)
    job = defs.resolve_job_def(BUILD_JOB)
    done = job.execute_in_process(
        instance=instance,
        partition_key=wiki.head()[:KEY_LENGTH],
        asset_selection=[dg.AssetKey("publication")],
        raise_on_error=False,
    )
    assert not done.success
    assert workspace.store.pointer_path.read_bytes() == before
    failure = workspace.requests.status().last_failure
    assert failure is not None
    assert failure.error_reason == "artifact_damaged"


def test_sensor_wiki_gone_says_why_and_fails_the_waiting_request(
    open_home: OpenHome, tmp_path: Path, wiki: GitWiki, instance: dg.DagsterInstance
) -> None:
    workspace = open_home()
    job = workspace.requests.enqueue("http", pull=True).job_id
    wiki.directory.rename(tmp_path / "elsewhere")
    sensor = wiki_head_sensor(lambda: workspace_for(workspace.home, wiki.directory))
    result = sensor.evaluate_tick(dg.build_sensor_context(instance=instance))
    assert "wiki_unusable" in str(result.skip_message)
    row = workspace.requests.job(job)
    assert row is not None
    assert (row.state, row.error_reason) == ("failed", "wiki_unusable")
