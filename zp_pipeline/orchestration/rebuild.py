"""`zp rebuild`: the same job, in this process, whether Dagster is up or down.

It puts a request in the table like everybody else and claims it, so that the sensor sees it.
"""

import uuid
from dataclasses import dataclass
from typing import Any

import dagster as dg

from zp_pipeline.builds.workspace import Workspace, accepted_shrink_path
from zp_pipeline.orchestration.build_defs import build_defs
from zp_pipeline.orchestration.instance import open_instance
from zp_pipeline.orchestration.jobs import BUILD_JOB
from zp_pipeline.orchestration.partitions import KEY_LENGTH, PARTITIONS_NAME, UPTO_TAG
from zp_pipeline.orchestration.reconcile import close_requests, reconcile
from zp_pipeline.shared.errors import ZpError
from zp_pipeline.shared.generation.durable_files import replace_text
from zp_pipeline.shared.sync.models import Request, Target


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What became of a rebuild; `body` is what `--json` prints."""

    published: bool
    body: dict[str, Any]


def rebuild(workspace: Workspace, pull: bool, accept_shrink: str | None = None) -> Rebuilt:
    """Build the head and publish it. Raises `ZpError` when the wiki does not tell its head."""
    if accept_shrink is not None:
        replace_text(accepted_shrink_path(workspace.home, accept_shrink), "")
    fetched = workspace.mirror.head()
    pull = pull or fetched is None
    head = workspace.mirror.remote_head() if pull else str(fetched)
    with open_instance(workspace.dagster_home) as instance:
        reconcile(instance, workspace.requests, workspace.lock)
        request = workspace.requests.enqueue("cli", pull=pull)
        run_build(workspace, instance, head[:KEY_LENGTH], request)
    finished = workspace.requests.job(request.job_id)
    return outcome_of(finished or request, head)


def run_build(
    workspace: Workspace, instance: dg.DagsterInstance, key: str, request: Request
) -> None:
    """Run the job in this process for `request`, claimed before anybody else can."""
    run_id = str(uuid.uuid4())
    instance.add_dynamic_partitions(PARTITIONS_NAME, [key])
    job = build_defs(lambda: workspace).resolve_job_def(BUILD_JOB)
    with workspace.lock.alive(run_id):
        workspace.requests.claim(run_id, Target(key, workspace.settings_fingerprint), request.seq)
        job.execute_in_process(
            instance=instance,
            run_id=run_id,
            partition_key=key,
            tags={UPTO_TAG: str(request.seq)},
            raise_on_error=False,
        )
        close_requests(run_id, instance.get_run_by_id(run_id), workspace.requests, workspace.lock)


def refusal_of(error: ZpError) -> Rebuilt:
    """Return what `zp rebuild --json` prints when there was nothing to build from."""
    return Rebuilt(False, not_published(None, error.reason, str(error)))


def not_published(commit: str | None, reason: str, detail: str) -> dict[str, Any]:
    """Return the object of a build that is not served."""
    return {
        "generation": None,
        "commit": commit,
        "published": False,
        "reason": reason,
        "detail": detail,
    }


def outcome_of(request: Request, head: str) -> Rebuilt:
    """Return the object that `zp rebuild --json` prints for a finished request."""
    if request.state == "succeeded" and request.result:
        return Rebuilt(bool(request.result["published"]), dict(request.result))
    reason = request.error_reason or "build_failed"
    return Rebuilt(False, not_published(head, reason, request.error_detail or ""))
