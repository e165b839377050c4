"""The one resource of the assets: the run, with its workspace and under the build lock.

It is made once per run, because runs execute in one process (`jobs`): every step of a run works
under one hold of the lock.
"""

from collections.abc import Callable, Iterator

import dagster as dg

from zp_pipeline.builds.run import BuildRun, open_run
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.partitions import PARTITION_TAG, UPTO_TAG

OpenWorkspace = Callable[[], Workspace]


def build_run_resource(open_workspace: OpenWorkspace) -> dg.ResourceDefinition:
    """Return the resource `build_run` over the workspace that `open_workspace` gives."""

    @dg.resource(description="The run, its workspace, and the hold of the build lock.")
    def build_run(context: dg.InitResourceContext) -> Iterator[BuildRun]:
        run = context.run
        if run is None:
            raise dg.DagsterInvariantViolationError("build_run is made within a run")
        upto = run.tags.get(UPTO_TAG)

        def on_wait(holder: str | None) -> None:
            if context.log:
                context.log.info(f"waiting for the build lock, held by {holder or 'another run'}")

        with open_run(
            open_workspace(),
            run.run_id,
            run.tags[PARTITION_TAG],
            int(upto) if upto else None,
            on_wait,
        ) as opened:
            yield opened

    return build_run
