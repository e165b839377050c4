"""Retention: what is kept, and that collection removes exactly what no kept manifest names."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.generations import add_generation, new_store
from zp_pipeline.publication.retention import GRACE, collect, kept_ids
from zp_pipeline.shared.generation.pointer import Pointer, Publication
from zp_pipeline.shared.generation.store import GenerationStore

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def published(store: GenerationStore, letters: str, superseded: timedelta) -> None:
    """Publish a generation per letter; the last is current, the others long superseded."""
    times = [
        Publication(id=add_generation(store, letter).id, commit=letter * 40, published_at=NOW)
        for letter in letters
    ]
    earlier = [item.model_copy(update={"superseded_at": NOW - superseded}) for item in times[:-1]]
    store.move_pointer(Pointer(current=times[-1], earlier=earlier[::-1]))


def test_collect_old_generations_keeps_the_newest_published(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    published(store, "abcd", superseded=GRACE * 2)
    collect(store, keep=2, now=NOW)
    assert {manifest.commit[0] for manifest in store.manifests()} == {"c", "d"}


def test_collect_removes_only_artifacts_that_no_kept_manifest_names(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    published(store, "ab", superseded=GRACE * 2)
    collect(store, keep=1, now=NOW)
    kept = store.manifests()[0].artifacts
    left = {folder.name for folder in store.artifacts.root.glob("*/*")}
    assert left == {record.digest for record in kept.values()}


def test_collect_within_the_grace_keeps_what_readers_may_hold(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    published(store, "abcd", superseded=GRACE / 2)
    assert collect(store, keep=1, now=NOW).generations == []


def test_collect_forgets_records_of_builds_that_are_gone(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    published(store, "ab", superseded=GRACE * 2)
    for letter in "ab":
        (store.builds / f"{letter * 12}-12345678").mkdir(parents=True)
    collect(store, keep=1, now=NOW)
    assert [folder.name for folder in store.builds.iterdir()] == [f"{'b' * 12}-12345678"]


def test_collect_nothing_published_removes_nothing(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    add_generation(store, "a")
    collect(store, keep=1, now=NOW)
    assert len(store.manifests()) == 1


def test_kept_ids_only_built_ones_are_kept_too(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    published(store, "a", superseded=GRACE)
    built = add_generation(store, "z")
    pointer = store.pointer()
    assert pointer is not None
    assert built.id in kept_ids(store.manifests(), pointer, keep=1, now=NOW)
