"""The sensor that watches the head of the wiki and the request table. What it decides: `decisions`.

It only asks `ls-remote`; fetching belongs to the run. A request's tries are counted in its row, and
the run key carries the try, because Dagster never repeats a run key, not even of a failed run.
"""

from datetime import UTC, datetime

import dagster as dg

from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.decisions import Observation, decide
from zp_pipeline.orchestration.jobs import BUILD_JOB
from zp_pipeline.orchestration.partitions import (
    KEY_LENGTH,
    RUN_KEY_TAG,
    UPTO_TAG,
    generations,
)
from zp_pipeline.orchestration.reconcile import is_building, reconcile
from zp_pipeline.orchestration.resources import OpenWorkspace
from zp_pipeline.publication.results import manifest_counts
from zp_pipeline.shared.errors import WikiError, ZpError
from zp_pipeline.shared.sync.models import Failure, Target

INTERVAL_SECONDS = 5


def wiki_head_sensor(open_workspace: OpenWorkspace) -> dg.SensorDefinition:
    """Return the sensor over the workspace that `open_workspace` gives."""

    @dg.sensor(
        job_name=BUILD_JOB,
        minimum_interval_seconds=INTERVAL_SECONDS,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Builds the newest head of the wiki, and answers the request table.",
    )
    def wiki_head(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        try:
            return tick(open_workspace(), context.instance)
        except ZpError as error:
            return dg.SensorResult(skip_reason=f"{error.reason}: {error}")

    return wiki_head


def tick(workspace: Workspace, instance: dg.DagsterInstance) -> dg.SensorResult:
    """Look once and act. Raises `ZpError` when the wiki cannot be asked; requests are kept."""
    workspace.requests.beat()
    reconcile(instance, workspace.requests, workspace.lock)
    head = wanted_head(workspace)
    decision = decide(observe(workspace, head, is_building(instance)))
    if decision.action == "build":
        return build_result(workspace, instance, head)
    if decision.action == "answer":
        answer_waiting(workspace, head)
    return dg.SensorResult(skip_reason=decision.why)


def wanted_head(workspace: Workspace) -> str:
    """Return the wiki's present head. An unusable repository fails the waiting requests."""
    try:
        return workspace.mirror.remote_head()
    except WikiError as error:
        target = Target(None, workspace.settings_fingerprint)
        if workspace.requests.newest_queued() is not None:
            workspace.requests.fail_queued(tick_id(), target, Failure.of(error))
        raise


def observe(workspace: Workspace, head: str, building: bool) -> Observation:
    """Return what is known of `head`."""
    pointer = workspace.store.pointer()
    served = pointer is not None and pointer.current.commit == head
    if served and pointer is not None:
        manifest = workspace.store.manifest(pointer.current.id)
        served = manifest.settings_fingerprint == workspace.settings_fingerprint
    return Observation(
        building=building,
        served=served,
        held=pointer is not None and pointer.hold is not None and pointer.hold.commit == head,
        waiting=workspace.requests.newest_queued() is not None,
        failed=why_failed(workspace, target_of(workspace, head)),
    )


def why_failed(workspace: Workspace, target: Target) -> str | None:
    """Return the reason for which `target` is not tried again, None while it may be."""
    if not workspace.requests.already_failed(target):
        return None
    failure = workspace.requests.status().last_failure
    return failure.error_reason if failure else None


def build_result(workspace: Workspace, instance: dg.DagsterInstance, head: str) -> dg.SensorResult:
    """Ask Dagster for one run of `head` that answers all that is queued.

    Where nothing is, a request of our own is queued first.
    """
    newest = workspace.requests.newest_queued() or workspace.requests.enqueue("sensor", pull=True)
    target = target_of(workspace, head)
    run_key = f"sync-{newest.seq}-{target.commit}-{newest.next_attempt(target)}"
    if died := run_of_key(instance, run_key):
        failure = Failure("build_failed", f"Dagster run {died} ended before it began")
        workspace.requests.fail_queued(died, target, failure, newest.seq)
        return dg.SensorResult(skip_reason=failure.detail)
    request = dg.RunRequest(
        run_key=run_key, partition_key=target.commit, tags={UPTO_TAG: str(newest.seq)}
    )
    return dg.SensorResult(
        run_requests=[request],
        dynamic_partitions_requests=[generations.build_add_request([head[:KEY_LENGTH]])],
    )


def run_of_key(instance: dg.DagsterInstance, run_key: str) -> str | None:
    """Return the run that was started for `run_key`, which Dagster will not start again."""
    runs = instance.get_runs(dg.RunsFilter(tags={RUN_KEY_TAG: run_key}), limit=1)
    return runs[0].run_id if runs else None


def answer_waiting(workspace: Workspace, head: str) -> None:
    """Close the waiting requests with the served generation."""
    pointer = workspace.store.pointer()
    if pointer is not None:
        manifest = workspace.store.manifest(pointer.current.id)
        result = {**manifest_counts(manifest), "published": True, "duration_seconds": 0.0}
        workspace.requests.succeed_queued(tick_id(), target_of(workspace, head), result)


def target_of(workspace: Workspace, head: str) -> Target:
    """Return what an attempt at `head` is counted by."""
    return Target(head[:KEY_LENGTH], workspace.settings_fingerprint)


def tick_id() -> str:
    """Return a claimant for requests that are answered without a run."""
    return f"tick-{datetime.now(UTC).timestamp()}"
