"""The assets that are tables: the pages of a commit, the documents, the chunks."""

from typing import Any

import dagster as dg

from zp_pipeline.builds.run import BuildRun
from zp_pipeline.chunking import CODE_VERSION as CHUNKS_VERSION
from zp_pipeline.documents.documents import CODE_VERSION as DOCUMENTS_VERSION
from zp_pipeline.orchestration.assets import generation_asset
from zp_pipeline.orchestration.failures import reported
from zp_pipeline.orchestration.metadata import (
    materialised,
    restricted_paths,
    table_metadata,
    warnings_metadata,
)
from zp_pipeline.wiki.snapshot import CODE_VERSION as SNAPSHOT_VERSION


@generation_asset("git", "parquet", code_version=SNAPSHOT_VERSION)
def wiki_snapshot(build_run: dg.ResourceParam[BuildRun]) -> dg.MaterializeResult[Any]:
    """The pages of the wiki at one commit: path, blob, size. Fetches the wiki where asked."""
    with reported(build_run, "git"):
        build_run.fetch()
        result = build_run.count(build_run.build.wiki_snapshot())
        uncommitted = build_run.workspace.mirror.uncommitted_changes()
        extra = {"commit": build_run.build.commit, "uncommitted_changes": uncommitted}
        extra |= warnings_metadata(result)
        return materialised(result, {**extra, **table_metadata(result, "wiki_snapshot")})


@generation_asset("parquet", code_version=DOCUMENTS_VERSION, deps=[wiki_snapshot])
def documents(build_run: dg.ResourceParam[BuildRun]) -> dg.MaterializeResult[Any]:
    """One row per page: title, authors, tags, categories, rights, dates, text; and every repair."""
    with reported(build_run, "build"):
        result = build_run.count(build_run.build.documents())
        hidden = restricted_paths(build_run.build.table("documents"))
        warnings = warnings_metadata(result, hidden)
        return materialised(result, {**table_metadata(result, "documents", hidden), **warnings})


@generation_asset("parquet", code_version=CHUNKS_VERSION, deps=[documents])
def chunks(build_run: dg.ResourceParam[BuildRun]) -> dg.MaterializeResult[Any]:
    """The documents cut along their structure, each chunk with its span, lines and token count."""
    with reported(build_run, "build"):
        result = build_run.count(build_run.build.chunks())
        hidden = restricted_paths(build_run.build.table("documents"))
        return materialised(result, table_metadata(result, "chunks", hidden))
