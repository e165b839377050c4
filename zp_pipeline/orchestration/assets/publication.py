"""The last asset: the build as the served generation."""

from typing import Any

import dagster as dg

from zp_pipeline.builds.run import BuildRun
from zp_pipeline.orchestration.assets import generation_asset
from zp_pipeline.orchestration.assets.index import search_index
from zp_pipeline.orchestration.failures import reported
from zp_pipeline.orchestration.metadata import markdown_table
from zp_pipeline.orchestration.partitions import forget_partitions
from zp_pipeline.publication.results import publish_run


@generation_asset("json", deps=[search_index])
def publication(
    context: dg.AssetExecutionContext, build_run: dg.ResourceParam[BuildRun]
) -> dg.MaterializeResult[Any]:
    """The gate once more, the manifest, and the pointer that the service watches."""
    with reported(build_run, "publish"):
        outcome, collected = publish_run(build_run)
    forget_partitions(context.instance, build_run.workspace.store)
    gate = [[check.name, check.passed, check.detail] for check in outcome.manifest.gate]
    return dg.MaterializeResult(
        metadata={
            "generation": outcome.manifest.id,
            "published": outcome.published,
            "reason": outcome.reason or "",
            "documents": outcome.manifest.documents,
            "chunks": outcome.manifest.chunks,
            "gate": dg.MetadataValue.md(markdown_table(["check", "passed", "detail"], gate)),
            "collected_generations": len(collected.generations),
            "manifest": dg.MetadataValue.json(outcome.manifest.model_dump(mode="json")),
        },
        data_version=dg.DataVersion(outcome.manifest.id),
    )
