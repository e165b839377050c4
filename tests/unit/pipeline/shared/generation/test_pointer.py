"""The pointer: what it remembers when a generation takes over; it is read whole or not at all."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.generation.pointer import (
    Hold,
    Pointer,
    Publication,
    read_pointer,
    write_pointer,
)

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def first() -> Pointer:
    return Pointer(current=Publication(id="a.1", commit="a" * 40, published_at=NOON))


def test_advanced_new_generation_supersedes_the_old() -> None:
    moved = first().advanced("b.2", "b" * 40, NOON + timedelta(hours=1), hold=None)
    assert moved.current.id == "b.2"
    assert [item.id for item in moved.earlier] == ["a.1"]
    assert moved.earlier[0].superseded_at == NOON + timedelta(hours=1)


def test_advanced_back_to_an_earlier_one_lists_it_once() -> None:
    moved = (
        first()
        .advanced("b.2", "b" * 40, NOON, hold=None)
        .advanced("a.1", "a" * 40, NOON, hold=None)
    )
    assert moved.current.id == "a.1"
    assert [item.id for item in moved.earlier] == ["b.2"]


def test_advanced_same_generation_keeps_its_time() -> None:
    moved = first().advanced(
        "a.1", "a" * 40, NOON + timedelta(days=1), hold=Hold(commit="b" * 40, since=NOON)
    )
    assert moved.current == first().current
    assert moved.hold is not None


def test_read_written_gives_it_back(tmp_path: Path) -> None:
    write_pointer(tmp_path / "current.json", first())
    assert read_pointer(tmp_path / "current.json") == first()
    assert [path.name for path in tmp_path.iterdir()] == ["current.json"]


def test_read_absent_is_none(tmp_path: Path) -> None:
    assert read_pointer(tmp_path / "current.json") is None


@pytest.mark.parametrize("text", ["", "{", "{}", '{"current": 1}'])
def test_read_damaged_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "current.json").write_text(text)
    with pytest.raises(ArtifactDamaged):
        read_pointer(tmp_path / "current.json")
