"""From a finished build to `current.json`: gate, manifest, pointer.

Any failure before the pointer is replaced leaves the old generation byte-identical and served. Only
the accepted head of the branch is published; any other commit is built, kept and listed as `built`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from zp_pipeline.builds.steps import STEPS, Build
from zp_pipeline.builds.workspace import accepted_shrink_path
from zp_pipeline.publication.gate import Candidate, run_gate
from zp_pipeline.shared.errors import ArtifactMismatch, GateRefused
from zp_pipeline.shared.generation.artifacts import verify_files
from zp_pipeline.shared.generation.digests import generation_id
from zp_pipeline.shared.generation.manifest import (
    ArtifactRecord,
    CheckRecord,
    GenerationManifest,
    ModelRecord,
)
from zp_pipeline.shared.generation.pointer import Pointer, Publication
from zp_pipeline.shared.schema.index import IndexFacts
from zp_pipeline.shared.search.open_index import OpenIndex

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a build; a commit that is not the head, or is held, is not `published`."""

    manifest: GenerationManifest
    published: bool
    reason: Literal["not_head", "held"] | None


@contextmanager
def candidate(build: Build, now: datetime) -> Iterator[Candidate]:
    """Open a finished build for the gate. Raises `ArtifactDamaged` when a file is not whole."""
    workspace = build.workspace
    for step in STEPS:
        artifact = build.artifact(step)
        verify_files(artifact.directory, artifact.record)
    artifact = build.artifact("search_index")
    index = OpenIndex.open(artifact.directory.resolve(), IndexFacts(**artifact.record.facts))
    try:
        yield Candidate(
            documents=build.table("documents"),
            chunks=build.table("chunks"),
            embeddings=build.table("embeddings"),
            index=index,
            encode=workspace.query_encoder.encode,
            now_us=int(now.timestamp() * 1_000_000),
            published_documents=_published_documents(build),
            shrink_limit=workspace.settings.shrink_limit,
            shrink_accepted=accepted_shrink_path(workspace.home, build.commit).exists(),
        )
    finally:
        index.close()


def judge(build: Build, now: datetime) -> list[CheckRecord]:
    """Run the gate on a finished build. Raises `ArtifactDamaged` when a file is not whole."""
    with candidate(build, now) as opened:
        return run_gate(opened)


def publish(build: Build, gate: list[CheckRecord], clock: Clock) -> Outcome:
    """Make a judged build the served generation. Raises `GateRefused`."""
    refuse_failed(gate)
    described, store = manifest_of(build, gate, clock()), build.workspace.store
    store.adopt_repaired(described.artifacts)
    return advance(build, store.save_manifest(described), clock())


def refuse_failed(gate: list[CheckRecord]) -> None:
    """Raise `GateRefused`, naming the failed checks and what they found."""
    failed = [f"{check.name}: {check.detail}" for check in gate if not check.passed]
    if failed:
        raise GateRefused("; ".join(failed))


def manifest_of(build: Build, gate: list[CheckRecord], now: datetime) -> GenerationManifest:
    """Describe a build. Raises `ArtifactMismatch` when its steps do not belong together."""
    workspace = build.workspace
    records = {step: build.artifact(step).record for step in STEPS}
    refuse_mixed(records)
    commit = workspace.mirror.commit(build.commit)
    return GenerationManifest(
        id=generation_id(build.commit, build.root),
        commit=build.commit,
        branch=workspace.mirror.branch,
        committed_at=commit.committed_at,
        built_at=now,
        settings_fingerprint=workspace.settings_fingerprint,
        artifacts=records,
        model=ModelRecord(
            name=workspace.model.model,
            revision=workspace.model.revision,
            source=workspace.model.source,
            fingerprint=workspace.model.fingerprint,
        ),
        lance_version=records["search_index"].facts["lancedb"],
        gate=gate,
    )


def refuse_mixed(records: dict[str, ArtifactRecord]) -> None:
    """Raise `ArtifactMismatch` when an artifact was not made from those beside it."""
    for record in records.values():
        for kind, digest in record.inputs.items():
            if kind in records and records[kind].digest != digest:
                raise ArtifactMismatch(
                    f"{record.kind} was made from {kind} {digest[:12]},"
                    f" but the build has {records[kind].digest[:12]}"
                )


def advance(build: Build, manifest: GenerationManifest, now: datetime) -> Outcome:
    """Point at `manifest` if its commit is the accepted head and no hold is on it."""
    store = build.workspace.store
    pointer = store.pointer()
    if manifest.commit != build.workspace.mirror.head():
        return Outcome(manifest, published=_is_current(pointer, manifest), reason="not_head")
    if pointer is None:
        first = Publication(id=manifest.id, commit=manifest.commit, published_at=now)
        store.move_pointer(Pointer(current=first))
        return Outcome(manifest, published=True, reason=None)
    if pointer.hold is not None and pointer.hold.commit == manifest.commit:
        return Outcome(manifest, published=_is_current(pointer, manifest), reason="held")
    store.move_pointer(pointer.advanced(manifest.id, manifest.commit, now, hold=None))
    return Outcome(manifest, published=True, reason=None)


def _is_current(pointer: Pointer | None, manifest: GenerationManifest) -> bool:
    return pointer is not None and pointer.current.id == manifest.id


def _published_documents(build: Build) -> int | None:
    pointer = build.workspace.store.pointer()
    return build.workspace.store.manifest(pointer.current.id).documents if pointer else None
