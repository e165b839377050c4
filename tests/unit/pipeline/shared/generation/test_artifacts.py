"""The artifact store: same recipe, same artifact; damage is mended; crashes leave nothing."""

from pathlib import Path

import pytest

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.generation.artifacts import (
    RECORD_NAME,
    ArtifactStore,
    Recipe,
    Written,
    verify_files,
)

RECIPE = Recipe("chunks", "1", {"max": 450}, {"documents": "d1"})


def write_letters(into: Path) -> Written:
    (into / "sub").mkdir()
    (into / "sub" / "letters.txt").write_text("abc")
    return Written({"letters": 3}, {"alphabet": "latin"})


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    return ArtifactStore(tmp_path / "store" / "artifacts")


def test_produce_new_recipe_writes_files_and_record(store: ArtifactStore) -> None:
    artifact = store.produce(RECIPE, write_letters)
    assert not artifact.reused
    assert artifact.file("sub/letters.txt").read_text() == "abc"
    assert artifact.record.rows == {"letters": 3}
    assert list(artifact.record.files) == ["sub/letters.txt"]
    assert artifact.directory.name == RECIPE.digest


def test_produce_known_recipe_does_not_write_again(store: ArtifactStore) -> None:
    first = store.produce(RECIPE, write_letters)
    second = store.produce(RECIPE, lambda into: pytest.fail("written again"))
    assert second.reused
    assert second.record == first.record


@pytest.mark.parametrize(
    "other",
    [
        Recipe("documents", "1", {"max": 450}, {"documents": "d1"}),
        Recipe("chunks", "2", {"max": 450}, {"documents": "d1"}),
        Recipe("chunks", "1", {"max": 451}, {"documents": "d1"}),
        Recipe("chunks", "1", {"max": 450}, {"documents": "d2"}),
    ],
)
def test_digest_any_ingredient_changed_differs(other: Recipe) -> None:
    assert other.digest != RECIPE.digest


def test_produce_writer_fails_leaves_no_artifact(store: ArtifactStore) -> None:
    def fail(into: Path) -> Written:
        (into / "half").write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        store.produce(RECIPE, fail)
    assert not store.directory("chunks", RECIPE.digest).exists()
    assert store.produce(RECIPE, write_letters).record.rows == {"letters": 3}


@pytest.mark.parametrize("damage", ["flip", "truncate", "remove", "add", "record"])
def test_produce_damaged_artifact_is_made_again(store: ArtifactStore, damage: str) -> None:
    artifact = store.produce(RECIPE, write_letters)
    harm(artifact.directory, damage)
    again = store.produce(RECIPE, write_letters)
    assert not again.reused
    verify_files(again.directory, again.record)


@pytest.mark.parametrize(
    ("damage", "named"),
    [("flip", "changed"), ("truncate", "size"), ("remove", "missing"), ("add", "unexpected")],
)
def test_verify_files_damaged_names_the_file(store: ArtifactStore, damage: str, named: str) -> None:
    artifact = store.produce(RECIPE, write_letters)
    harm(artifact.directory, damage)
    with pytest.raises(ArtifactDamaged, match=named):
        verify_files(artifact.directory, artifact.record)


def test_clear_staging_removes_what_was_left(store: ArtifactStore) -> None:
    with pytest.raises(ZeroDivisionError):
        store.produce(RECIPE, lambda into: Written({"letters": 1 // 0}))
    staging = store.root.parent / "staging"
    assert list(staging.iterdir())
    store.clear_staging()
    assert not staging.exists()


def harm(directory: Path, damage: str) -> None:
    """Damage an artifact in one of the ways that disks and people do."""
    letters = directory / "sub" / "letters.txt"
    if damage == "flip":
        letters.write_text("abd")
    elif damage == "truncate":
        letters.write_text("ab")
    elif damage == "remove":
        letters.unlink()
    elif damage == "add":
        (directory / "newer.txt").write_text("x")
    else:
        (directory / RECORD_NAME).write_text("{")
