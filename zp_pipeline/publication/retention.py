"""Which generations are kept, and the removal of everything that no kept one names.

Kept are the served one, the newest K that were published, those superseded within the grace
(readers may still be draining), and the newest K that were only built. Runs only under the build
lock.
"""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from zp_pipeline.shared.generation.manifest import GenerationManifest
from zp_pipeline.shared.generation.pointer import Pointer
from zp_pipeline.shared.generation.store import GenerationStore

GRACE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Collected:
    """What a collection removed."""

    generations: list[str]
    artifacts: int


def kept_ids(
    manifests: list[GenerationManifest], pointer: Pointer, keep: int, now: datetime
) -> set[str]:
    """Return the ids to keep; `manifests` come newest build first."""
    published = [pointer.current, *pointer.earlier]
    kept = {item.id for item in published[:keep]}
    kept |= {
        item.id for item in published if item.superseded_at and now - item.superseded_at < GRACE
    }
    ever_published = {item.id for item in published}
    built = [manifest.id for manifest in manifests if manifest.id not in ever_published]
    return kept | set(built[:keep])


def collect(store: GenerationStore, keep: int, now: datetime) -> Collected:
    """Remove old manifests, then the artifacts and build records that no kept manifest names."""
    pointer = store.pointer()
    if pointer is None:
        return Collected([], 0)
    manifests = store.manifests()
    kept = kept_ids(manifests, pointer, keep, now)
    removed = [manifest for manifest in manifests if manifest.id not in kept]
    for manifest in removed:
        store.manifest_path(manifest.id).unlink()
    store.move_pointer(_forget(pointer, kept))
    remaining = [manifest for manifest in manifests if manifest.id in kept]
    artifacts = _remove_artifacts(store, remaining)
    _remove_builds(store, {manifest.commit[:12] for manifest in remaining})
    return Collected(sorted(manifest.id for manifest in removed), artifacts)


def _forget(pointer: Pointer, kept: set[str]) -> Pointer:
    return pointer.model_copy(
        update={"earlier": [item for item in pointer.earlier if item.id in kept]}
    )


def _remove_artifacts(store: GenerationStore, manifests: list[GenerationManifest]) -> int:
    named = {
        store.artifacts.directory(record.kind, record.digest)
        for manifest in manifests
        for record in manifest.artifacts.values()
    }
    unnamed = [folder for folder in store.artifacts.root.glob("*/*") if folder not in named]
    for folder in unnamed:
        shutil.rmtree(folder)
    store.artifacts.clear_staging()
    return len(unnamed)


def _remove_builds(store: GenerationStore, commits: set[str]) -> None:
    folders: list[Path] = [folder for folder in store.builds.glob("*") if folder.is_dir()]
    for folder in folders:
        if folder.name.split("-")[0] not in commits:
            shutil.rmtree(folder)
