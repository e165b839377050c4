"""Rolling back: the pointer moves, a hold is set, and what was locked since stays locked."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.generations import add_generation, document, documents_table, new_store
from zp_pipeline.publication.activation import activate, resume, widened_pages
from zp_pipeline.shared.errors import ActivationRefused, ArtifactDamaged, GenerationUnknown
from zp_pipeline.shared.generation.pointer import Pointer, Publication
from zp_pipeline.shared.generation.store import GenerationStore

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
HEAD = "b" * 40
CLOSED = {"open": False, "allowed_groups": []}
TEACHERS = {"open": False, "allowed_groups": ["ucitelia"]}


def two_generations(store: GenerationStore, newer: dict[str, object]) -> str:
    """Publish a.md open to everyone, then as `newer` says; return the id of the older."""
    older = add_generation(store, "a", document("a.md"))
    current = add_generation(store, "b", document("a.md", **newer))
    store.move_pointer(Pointer(current=Publication(id=current.id, commit=HEAD, published_at=NOW)))
    return older.id


def test_activate_same_rights_serves_the_older_and_holds(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    older = two_generations(store, {"title": "A newer title"})
    pointer = activate(store, older, HEAD, NOW)
    assert pointer.current.id == older
    assert pointer.hold is not None
    assert pointer.hold.commit == HEAD
    assert store.pointer() == pointer


def test_activate_page_locked_since_is_refused_and_named(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    older = two_generations(store, TEACHERS)
    before = store.pointer()
    with pytest.raises(ActivationRefused, match=r"a\.md"):
        activate(store, older, HEAD, NOW)
    assert store.pointer() == before


def test_activate_is_judged_by_the_head_not_by_an_older_commit_built_later(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    older = two_generations(store, TEACHERS)
    add_generation(store, "c", document("a.md"))
    with pytest.raises(ActivationRefused):
        activate(store, older, HEAD, NOW)


def test_activate_unknown_generation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GenerationUnknown):
        activate(new_store(tmp_path), "x.y", HEAD, NOW)


def test_activate_damaged_generation_is_refused(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    older = two_generations(store, {})
    record = store.manifest(older).artifacts["chunks"]
    (store.artifacts.directory("chunks", record.digest) / "stray").write_text("x")
    with pytest.raises(ArtifactDamaged):
        activate(store, older, HEAD, NOW)


def test_resume_ends_the_hold_and_keeps_what_is_served(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    older = two_generations(store, {})
    activate(store, older, HEAD, NOW)
    pointer = resume(store)
    assert pointer.hold is None
    assert pointer.current.id == older


@pytest.mark.parametrize(
    ("before", "after", "locked"),
    [
        ({}, {}, False),
        ({}, TEACHERS, True),
        (TEACHERS, {}, False),
        (TEACHERS, CLOSED, True),
        (CLOSED, TEACHERS, False),
        (TEACHERS, {"open": False, "allowed_groups": ["ucitelia", "studenti"]}, False),
        ({}, {"published": False}, True),
        ({"published": False}, {}, False),
        ({}, {"valid_to_us": 5}, True),
        ({}, {"valid_from_us": 5}, True),
        ({"valid_to_us": 5}, {"valid_to_us": 9}, False),
    ],
)
def test_widened_pages_each_change_of_rights(
    before: dict[str, object], after: dict[str, object], locked: bool
) -> None:
    target = documents_table(document("a.md", **before))
    newest = documents_table(document("a.md", **after))
    assert list(widened_pages(target, newest)) == (["a.md"] if locked else [])


def test_widened_pages_page_moved_and_locked_is_seen_by_its_body() -> None:
    target = documents_table(document("old.md", text="the same body"))
    newest = documents_table(document("new.md", text="the same body", **TEACHERS))
    assert list(widened_pages(target, newest)) == ["old.md"]


def test_widened_pages_page_deleted_is_no_lock() -> None:
    assert list(widened_pages(documents_table(document("a.md")), documents_table())) == []
