"""The assets that searching works on: the vectors and the LanceDB index."""

from collections.abc import Callable
from typing import Any

import dagster as dg

from zp_pipeline.builds.run import BuildRun
from zp_pipeline.embedding.embeddings import CODE_VERSION as EMBEDDINGS_VERSION
from zp_pipeline.index import CODE_VERSION as INDEX_VERSION
from zp_pipeline.orchestration.assets import generation_asset
from zp_pipeline.orchestration.assets.tables import chunks, documents
from zp_pipeline.orchestration.failures import reported
from zp_pipeline.orchestration.metadata import column_schema, materialised
from zp_pipeline.shared.schema.tables import EMBEDDINGS


@generation_asset(
    "huggingface",
    "parquet",
    code_version=EMBEDDINGS_VERSION,
    deps=[documents, chunks],
)
def embeddings(
    context: dg.AssetExecutionContext, build_run: dg.ResourceParam[BuildRun]
) -> dg.MaterializeResult[Any]:
    """A vector for every segment of every chunk; known inputs come from the cache."""
    with reported(build_run, "build"):
        result = build_run.count(build_run.build.embeddings(progress_log(context)))
        model = build_run.workspace.model
        extra = {"model": f"{model.model}@{model.revision} ({model.source})"}
        return materialised(result, {**extra, "dagster/column_schema": column_schema(EMBEDDINGS)})


@generation_asset("lancedb", code_version=INDEX_VERSION, deps=[documents, chunks, embeddings])
def search_index(build_run: dg.ResourceParam[BuildRun]) -> dg.MaterializeResult[Any]:
    """Full text, vectors, term arrays and rights of every chunk, in LanceDB and beside it."""
    with reported(build_run, "build"):
        result = build_run.count(build_run.build.search_index())
        return materialised(result, dict(result.artifact.record.facts))


def progress_log(context: dg.AssetExecutionContext) -> Callable[[int, int], None]:
    """Return a progress callback that writes to the run's log."""
    return lambda done, total: context.log.info(f"{done} of {total} segments embedded")
