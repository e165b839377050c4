"""The gate as blocking asset checks on the index. What they check is in `publication.gate`."""

from collections.abc import Iterator

import dagster as dg

from zp_pipeline.builds.run import BuildRun
from zp_pipeline.orchestration.assets import POOL
from zp_pipeline.orchestration.failures import reported
from zp_pipeline.publication.gate import CHECKS
from zp_pipeline.publication.publish import refuse_failed
from zp_pipeline.publication.results import judge_run
from zp_pipeline.shared.errors import GateRefused


@dg.multi_asset_check(
    name="gate",
    pool=POOL,
    specs=[
        dg.AssetCheckSpec(name, asset="search_index", blocking=True, description=check.__doc__)
        for name, check in CHECKS.items()
    ],
)
def gate(build_run: dg.ResourceParam[BuildRun]) -> Iterator[dg.AssetCheckResult]:
    """Judge the build before it is published."""
    with reported(build_run, "publish"):
        records = judge_run(build_run)
    try:
        refuse_failed(records)
    except GateRefused as error:
        build_run.fail(error)
    for record in records:
        yield dg.AssetCheckResult(
            check_name=record.name,
            passed=record.passed,
            metadata={"found": record.detail or "nothing wrong"},
        )
