"""Bringing the request table and Dagster's runs back together after a process died.

A run killed with its machine stays STARTED in Dagster for ever. Its process held the run's own
lock, which the kernel dropped; a run that still waits for the build lock holds its own and is no
orphan.
"""

import time

import dagster as dg

from zp_pipeline.orchestration.partitions import PARTITION_TAG
from zp_pipeline.shared.build_lock import BuildLock
from zp_pipeline.shared.sync.models import Failure
from zp_pipeline.shared.sync.repository import RequestTable

# From STARTING to the run's own lock a process imports Dagster and LanceDB: 10 s here, 60 at worst.
STARTUP_SECONDS = 180
IN_PROCESS_STATUSES = [
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]
UNFINISHED_STATUSES = [
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.QUEUED,
    *IN_PROCESS_STATUSES,
]


def reconcile(instance: dg.DagsterInstance, requests: RequestTable, lock: BuildLock) -> None:
    """Fail the runs whose process is gone, then close the requests of runs that have ended."""
    fail_orphans(instance, lock)
    for run_id in sorted({str(request.run_id) for request in requests.running()}):
        close_requests(run_id, instance.get_run_by_id(run_id), requests, lock)


def fail_orphans(instance: dg.DagsterInstance, lock: BuildLock) -> None:
    """Report every build that has no process any more as failed."""
    filters = dg.RunsFilter(statuses=IN_PROCESS_STATUSES)
    for record in instance.get_run_records(filters):
        run = record.dagster_run
        if PARTITION_TAG not in run.tags:
            continue
        alive = lock.is_alive(run.run_id)
        silent_seconds = time.time() - record.update_timestamp.timestamp()
        if alive is False or (alive is None and silent_seconds > STARTUP_SECONDS):
            instance.report_run_failed(run, "orphaned: its process is gone")


def close_requests(
    run_id: str, run: dg.DagsterRun | None, requests: RequestTable, lock: BuildLock
) -> None:
    """Close what a run left open when it ended by itself, failed by an unknown error, or died."""
    if run is not None and run.status == dg.DagsterRunStatus.SUCCESS:
        requests.succeed(run_id, {})
    elif run is not None and run.is_finished:
        requests.fail(
            run_id, Failure("build_failed", f"Dagster run {run_id} {run.status.value.lower()}")
        )
    elif run is None and not lock.is_alive(run_id):
        requests.abandon(run_id)


def is_building(instance: dg.DagsterInstance) -> bool:
    """Tell whether any build is waiting, starting or running."""
    unfinished = instance.get_runs(dg.RunsFilter(statuses=UNFINISHED_STATUSES))
    return any(PARTITION_TAG in run.tags for run in unfinished)
