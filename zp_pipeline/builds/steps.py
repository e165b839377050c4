"""The steps of a build, each: find the inputs, name the result by its recipe, write it if new.

What a step does with its tables is in the step's own package.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from zp_pipeline.builds.records import BuildRecords
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.chunking.chunk_table import CODE_VERSION as CHUNKS_VERSION
from zp_pipeline.chunking.chunk_table import build_chunks
from zp_pipeline.documents.documents import CODE_VERSION as DOCUMENTS_VERSION
from zp_pipeline.documents.documents import build_documents
from zp_pipeline.embedding.embeddings import CODE_VERSION as EMBEDDINGS_VERSION
from zp_pipeline.embedding.embeddings import build_embeddings
from zp_pipeline.index import CODE_VERSION as INDEX_VERSION
from zp_pipeline.index.writer import write_index
from zp_pipeline.shared.generation.artifacts import Artifact, Recipe, Written
from zp_pipeline.shared.generation.digests import digest_of, root_digest
from zp_pipeline.wiki.snapshot import CODE_VERSION as SNAPSHOT_VERSION
from zp_pipeline.wiki.snapshot import snapshot_table

STEPS = ("wiki_snapshot", "documents", "chunks", "embeddings", "search_index")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step made, how long it took, and counts of this run, which the artifact lacks."""

    artifact: Artifact
    duration_seconds: float
    counts: Mapping[str, int] = field(default_factory=dict)


class Build:
    """The build of one commit in one workspace."""

    def __init__(self, workspace: Workspace, commit: str) -> None:
        """Build `commit`, a full commit id that is in the mirror."""
        self.workspace = workspace
        self.commit = commit
        self.records = BuildRecords(workspace.store.builds, commit, workspace.settings_fingerprint)

    def artifact(self, step: str) -> Artifact:
        """Return what `step` made here. Raises `ArtifactMismatch` or `ArtifactDamaged`."""
        return self.workspace.store.artifacts.load(step, self.records.load(step).digest)

    @property
    def root(self) -> str:
        """The digest over everything that the build has made."""
        return root_digest({step: self.records.load(step).digest for step in STEPS})

    def table(self, step: str, name: str | None = None) -> pa.Table:
        """Return a table that `step` wrote."""
        return pq.read_table(self.artifact(step).file(f"{name or step}.parquet"))

    def wiki_snapshot(self) -> StepResult:
        """List the pages of the commit."""
        snapshot, warnings = snapshot_table(self.workspace.mirror.entries(self.commit))
        pages = [
            [row["path_bytes"].hex(), row["mode"], row["blob"]] for row in snapshot.to_pylist()
        ]
        recipe = Recipe(
            "wiki_snapshot",
            SNAPSHOT_VERSION,
            inputs={"tree": digest_of([pages, warnings.to_pylist()])},
        )
        return self._produce(
            recipe, lambda into: write_tables(into, wiki_snapshot=snapshot, warnings=warnings)
        )

    def documents(self) -> StepResult:
        """Read the pages: front matter, rights, text."""
        settings = {
            "timezone": self.workspace.settings.timezone,
            "max_file_bytes": self.workspace.settings.max_file_bytes,
        }

        def write(into: Path) -> Written:
            table, warnings = build_documents(
                self.table("wiki_snapshot"),
                self.workspace.mirror.blobs,
                self.workspace.page_cache("documents", DOCUMENTS_VERSION, settings),
                timezone=self.workspace.settings.timezone,
                max_bytes=self.workspace.settings.max_file_bytes,
            )
            return write_tables(into, documents=table, warnings=warnings)

        return self._produce(
            self._recipe("documents", DOCUMENTS_VERSION, settings, "wiki_snapshot"), write
        )

    def chunks(self) -> StepResult:
        """Cut the documents into chunks."""
        settings = dict(self.workspace.content_settings["chunking"])

        def write(into: Path) -> Written:
            cache = self.workspace.page_cache("chunks", CHUNKS_VERSION, settings)
            table = build_chunks(self.table("documents"), self.workspace.chunking, cache)
            return write_tables(into, chunks=table)

        return self._produce(self._recipe("chunks", CHUNKS_VERSION, settings, "documents"), write)

    def embeddings(self, progress: Progress) -> StepResult:
        """Embed the chunks; `progress` is told segments done and segments to do."""
        settings = {"model_fingerprint": self.workspace.model.fingerprint}
        computed = 0

        def write(into: Path) -> Written:
            nonlocal computed
            result = build_embeddings(
                self.table("documents"),
                self.table("chunks"),
                self.workspace.passage_encoder,
                self.workspace.embedding_cache,
                progress,
            )
            computed = result.computed
            return write_tables(into, {"embedding_chunks": result.chunks}, embeddings=result.table)

        recipe = self._recipe("embeddings", EMBEDDINGS_VERSION, settings, "documents", "chunks")
        result = self._produce(recipe, write)
        segments = result.artifact.record.rows["embeddings"]
        counts = {
            "embedding_segments": segments,
            "embedding_computed": computed,
            "embedding_reused": segments - computed,
            "embedding_chunks": result.artifact.record.rows["embedding_chunks"],
        }
        return StepResult(result.artifact, result.duration_seconds, counts)

    def search_index(self) -> StepResult:
        """Write the LanceDB index and the term arrays."""

        def write(into: Path) -> Written:
            facts = write_index(
                into, self.table("documents"), self.table("chunks"), self.table("embeddings")
            )
            return Written({"chunks": facts.rows, "segments": facts.segments}, asdict(facts))

        recipe = self._recipe(
            "search_index", INDEX_VERSION, {}, "documents", "chunks", "embeddings"
        )
        return self._produce(recipe, write)

    def _recipe(
        self, kind: str, code_version: str, settings: Mapping[str, Any], *inputs: str
    ) -> Recipe:
        digests = {step: self.records.load(step).digest for step in inputs}
        return Recipe(kind, code_version, settings, digests)

    def _produce(self, recipe: Recipe, write: Callable[[Path], Written]) -> StepResult:
        started = time.monotonic()
        artifact = self.workspace.store.artifacts.produce(recipe, write)
        self.records.save(artifact.record)
        return StepResult(artifact, time.monotonic() - started)


def write_tables(
    into: Path, rows: Mapping[str, int] | None = None, /, **tables: pa.Table
) -> Written:
    """Write each table as `<name>.parquet`, counting its rows; `rows` are other counts."""
    for name, table in tables.items():
        pq.write_table(table, into / f"{name}.parquet", compression="zstd")
    return Written({**{name: table.num_rows for name, table in tables.items()}, **(rows or {})})
