"""The served generation: swapped whole, kept when the next is bad, closed when nobody reads it."""

from pathlib import Path
from threading import Event

import pytest

from tests.unit.serving.serving_fakes import (
    FakeClock,
    FakeEncoder,
    FakeIndexes,
    index_file,
    publish,
    publish_new,
    write_generation,
)
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.active_generation import RETRY_AFTER, ActiveGeneration, PointerWatch
from zp_serving.errors import RetrievalUnavailable
from zp_serving.served_generation import GenerationOpener


class Served:
    """A store, its active generation and what was opened."""

    def __init__(self, home: Path) -> None:
        self.store = GenerationStore(home / "store")
        self.clock = FakeClock()
        self.indexes = FakeIndexes()
        opener = GenerationOpener(self.store, FakeEncoder, self.indexes)
        self.active = ActiveGeneration(self.store, opener.open, self.clock)

    def id_after_refresh(self) -> str:
        self.active.refresh()
        with self.active.lease() as generation:
            return generation.manifest.id

    @property
    def closed(self) -> list[bool]:
        return [index.closed for index in self.indexes.opened]


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served(tmp_path)


def test_lease_without_generation_unavailable(served: Served) -> None:
    served.active.refresh()
    with pytest.raises(RetrievalUnavailable), served.active.lease():
        pass
    assert served.active.refused is None


def test_refresh_first_publication_served(served: Served) -> None:
    manifest = publish_new(served.store, "one")
    assert served.id_after_refresh() == manifest.id


def test_refresh_unchanged_pointer_opens_nothing(served: Served) -> None:
    publish_new(served.store, "one")
    served.active.refresh()
    served.active.refresh()
    assert len(served.indexes.opened) == 1


def test_refresh_pointer_rewritten_for_same_generation_opens_nothing(served: Served) -> None:
    manifest = publish_new(served.store, "one")
    served.active.refresh()
    publish(served.store, manifest)
    assert served.id_after_refresh() == manifest.id
    assert len(served.indexes.opened) == 1


def test_refresh_repaired_generation_is_opened_again(served: Served) -> None:
    manifest = publish_new(served.store, "one")
    served.active.refresh()
    repaired = manifest.artifacts["search_index"].model_copy(update={"facts": {"repaired": True}})
    served.store.adopt_repaired({"search_index": repaired})
    publish(served.store, manifest)
    assert served.id_after_refresh() == manifest.id
    assert served.closed == [True, False]


def test_refresh_next_generation_served_and_old_closed(served: Served) -> None:
    publish_new(served.store, "one")
    served.active.refresh()
    second = publish_new(served.store, "two")
    assert served.id_after_refresh() == second.id
    assert served.closed == [True, False]


def test_refresh_under_lease_old_closed_when_last_lease_ends(served: Served) -> None:
    first = publish_new(served.store, "one")
    served.active.refresh()
    with served.active.lease() as outer, served.active.lease():
        publish_new(served.store, "two")
        served.active.refresh()
        assert outer.manifest.id == first.id
        assert served.closed == [False, False]
    assert served.closed == [True, False]


def test_lease_body_raises_lease_still_ends(served: Served) -> None:
    publish_new(served.store, "one")
    served.active.refresh()
    with pytest.raises(KeyError), served.active.lease():
        raise KeyError
    served.active.close()
    assert served.closed == [True]


@pytest.mark.parametrize("damage", ["flip", "truncate", "remove", "add"])
def test_refresh_damaged_next_generation_refused_and_old_stays(served: Served, damage: str) -> None:
    first = publish_new(served.store, "one")
    served.active.refresh()
    second = write_generation(served.store, "two")
    do_damage(index_file(served.store, second), damage)
    publish(served.store, second)
    assert served.id_after_refresh() == first.id
    assert served.active.refused is not None
    assert (served.active.refused.publication_id, served.active.refused.reason) == (
        second.id,
        "artifact_damaged",
    )


def do_damage(path: Path, damage: str) -> None:
    if damage == "remove":
        path.unlink()
    elif damage == "add":
        path.with_name("extra.bin").write_bytes(b"x")
    else:
        path.write_bytes(b"Postings" if damage == "flip" else b"post")


def test_refresh_unreadable_pointer_refused_and_old_stays(served: Served) -> None:
    first = publish_new(served.store, "one")
    served.active.refresh()
    served.store.pointer_path.write_text("{", encoding="utf-8")
    assert served.id_after_refresh() == first.id
    assert served.active.refused is not None


def test_refresh_pointer_gone_old_stays(served: Served) -> None:
    first = publish_new(served.store, "one")
    served.active.refresh()
    served.store.pointer_path.unlink()
    assert served.id_after_refresh() == first.id


def test_refresh_unknown_generation_refused(served: Served) -> None:
    manifest = publish_new(served.store, "one")
    served.store.manifest_path(manifest.id).unlink()
    served.active.refresh()
    assert served.active.refused is not None
    assert served.active.refused.reason == "generation_unknown"


def test_refresh_refused_tried_again_only_after_a_while(served: Served) -> None:
    manifest = publish_new(served.store, "one")
    path = index_file(served.store, manifest)
    path.write_bytes(b"Postings")
    served.active.refresh()
    path.write_bytes(b"postings")
    served.active.refresh()
    assert served.active.generation is None
    served.clock.advance(RETRY_AFTER.total_seconds())
    assert served.id_after_refresh() == manifest.id
    assert served.active.refused is None


def test_refresh_unforeseen_error_refused_without_its_text(tmp_path: Path) -> None:
    served = Served(tmp_path)
    broken = FakeIndexes(lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    opener = GenerationOpener(served.store, FakeEncoder, broken)
    active = ActiveGeneration(served.store, opener.open, served.clock)
    publish_new(served.store, "one")
    active.refresh()
    assert active.refused is not None
    assert active.refused.reason == "internal_error"


def test_close_then_lease_unavailable_and_index_closed(served: Served) -> None:
    publish_new(served.store, "one")
    served.active.refresh()
    served.active.close()
    with pytest.raises(RetrievalUnavailable), served.active.lease():
        pass
    assert served.closed == [True]


def test_watch_started_notices_publication_without_being_asked(tmp_path: Path) -> None:
    served = Served(tmp_path)
    noticed = Event()
    active = ActiveGeneration(served.store, lambda publication: noticed.set(), served.clock)
    watch = PointerWatch(active, poll_seconds=0.01)
    watch.start()
    publish_new(served.store, "one")
    assert noticed.wait(5)
    watch.stop()
