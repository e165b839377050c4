"""Opening a generation: files verified, the model the same, the index warm, nothing left open."""

from pathlib import Path

import pytest

from tests.unit.serving.serving_fakes import FINGERPRINT, FakeEncoder, FakeIndexes, publish_new
from zp_pipeline.shared.errors import ArtifactMismatch, ModelAssetsError
from zp_pipeline.shared.generation.pointer import Publication
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.served_generation import GenerationOpener, ServedGeneration


class Encoders:
    """Loads encoders of the given models, one after the other."""

    def __init__(self, *fingerprints: str) -> None:
        self.loaded: list[FakeEncoder] = []
        self._next = iter(fingerprints)

    def __call__(self) -> FakeEncoder:
        self.loaded.append(FakeEncoder(next(self._next)))
        return self.loaded[-1]


@pytest.fixture
def store(tmp_path: Path) -> GenerationStore:
    return GenerationStore(tmp_path / "store")


def open_published(opener: GenerationOpener, store: GenerationStore) -> ServedGeneration:
    pointer = store.pointer()
    assert pointer is not None
    return opener.open(pointer.current)


def test_open_generation_is_warm(store: GenerationStore) -> None:
    publish_new(store, "one")
    encoders, indexes = Encoders(FINGERPRINT), FakeIndexes()
    open_published(GenerationOpener(store, encoders, indexes), store)
    assert encoders.loaded[0].warmed
    assert len(indexes.opened[0].requests) == 1


def test_open_same_model_encoder_kept(store: GenerationStore) -> None:
    encoders = Encoders(FINGERPRINT)
    opener = GenerationOpener(store, encoders, FakeIndexes())
    for name in ("one", "two"):
        publish_new(store, name)
        open_published(opener, store)
    assert len(encoders.loaded) == 1


def test_open_assets_replaced_by_generations_model_loaded(store: GenerationStore) -> None:
    publish_new(store, "one")
    encoders = Encoders("other", FINGERPRINT)
    opener = GenerationOpener(store, encoders, FakeIndexes())
    with pytest.raises(ModelAssetsError):
        open_published(opener, store)
    assert open_published(opener, store).encoder.fingerprint == FINGERPRINT


def test_open_other_model_refused_before_index_is_opened(store: GenerationStore) -> None:
    publish_new(store, "one")
    indexes = FakeIndexes()
    with pytest.raises(ModelAssetsError, match="ffffffffffff"):
        open_published(GenerationOpener(store, Encoders("other"), indexes), store)
    assert indexes.opened == []


def test_open_warm_up_fails_index_closed(store: GenerationStore) -> None:
    publish_new(store, "one")
    indexes = FakeIndexes()
    opener = GenerationOpener(store, FakeEncoder, lambda path, record: broken(indexes))
    with pytest.raises(ZeroDivisionError):
        open_published(opener, store)
    assert indexes.opened[0].closed


def broken(indexes: FakeIndexes):  # noqa: ANN201
    index = indexes(Path(), None)  # type: ignore[arg-type]
    index.search = lambda request, vector: 1 / 0
    return index


def test_open_manifest_of_other_schema_refused(store: GenerationStore) -> None:
    manifest = publish_new(store, "one", schema_version=99)
    publication = Publication(
        id=manifest.id, commit=manifest.commit, published_at=manifest.built_at
    )
    with pytest.raises(ArtifactMismatch, match="schema 99"):
        GenerationOpener(store, FakeEncoder, FakeIndexes()).open(publication)


def test_open_manifest_under_other_name_refused(store: GenerationStore) -> None:
    manifest = publish_new(store, "one")
    store.manifest_path(manifest.id).rename(store.manifest_path("renamed"))
    publication = Publication(id="renamed", commit="c", published_at=manifest.built_at)
    with pytest.raises(ArtifactMismatch, match="renamed"):
        GenerationOpener(store, FakeEncoder, FakeIndexes()).open(publication)


def test_open_index_reached_by_link_gets_real_path(store: GenerationStore) -> None:
    publish_new(store, "one")
    real = store.artifacts.root / "elsewhere"
    linked = store.artifacts.root / "search_index"
    linked.rename(real)
    linked.symlink_to(real)
    seen: list[Path] = []
    opener = GenerationOpener(
        store, FakeEncoder, lambda path, record: (seen.append(path), FakeIndexes()(path, record))[1]
    )
    open_published(opener, store)
    assert seen[0].parent == real.resolve()
