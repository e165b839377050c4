"""Assembly: everything of the pipeline as one `Definitions`, over any workspace."""

import dagster as dg

from zp_pipeline.builds.workspace import open_workspace as open_configured_workspace
from zp_pipeline.orchestration.assets import index, publication, tables
from zp_pipeline.orchestration.checks import gate
from zp_pipeline.orchestration.jobs import build_generation
from zp_pipeline.orchestration.resources import OpenWorkspace, build_run_resource
from zp_pipeline.orchestration.sensors import wiki_head_sensor


def build_defs(open_workspace: OpenWorkspace = open_configured_workspace) -> dg.Definitions:
    """Return the definitions; tests give a workspace of their own."""
    return dg.Definitions(
        assets=dg.load_assets_from_modules([tables, index, publication]),
        asset_checks=[gate],
        jobs=[build_generation],
        sensors=[wiki_head_sensor(open_workspace)],
        resources={"build_run": build_run_resource(open_workspace)},
        executor=dg.in_process_executor,
    )
