"""What Dagster loads: the definitions of the pipeline. `workspace.yaml` names this module."""

from zp_pipeline.orchestration.build_defs import build_defs

defs = build_defs()
