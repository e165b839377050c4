"""The records of a build: what a step made is found again, and a mixture of builds is refused."""

from pathlib import Path

import pytest

from zp_pipeline.builds.records import BuildRecords
from zp_pipeline.shared.errors import ArtifactDamaged, ArtifactMismatch
from zp_pipeline.shared.generation.manifest import ArtifactRecord

COMMIT = "c0ffee" + "0" * 34
SETTINGS = "5e771265" + "0" * 56
FIRST, SECOND = "a1" * 32, "b2" * 32


def artifact(kind: str, digest: str, **inputs: str) -> ArtifactRecord:
    return ArtifactRecord(
        kind=kind,
        digest=digest,
        code_version="1",
        settings={},
        inputs=inputs,
        files={},
        rows={},
        facts={},
    )


@pytest.fixture
def records(tmp_path: Path) -> BuildRecords:
    return BuildRecords(tmp_path, COMMIT, SETTINGS)


def test_load_saved_step_gives_it_back(records: BuildRecords) -> None:
    records.save(artifact("wiki_snapshot", FIRST))
    records.save(artifact("documents", SECOND, wiki_snapshot=FIRST))
    loaded = records.load("documents")
    assert (loaded.step, loaded.commit, loaded.digest) == ("documents", COMMIT, SECOND)
    assert loaded.inputs == {"wiki_snapshot": FIRST}


def test_load_another_object_on_the_same_folder_finds_the_step(
    records: BuildRecords, tmp_path: Path
) -> None:
    records.save(artifact("documents", FIRST))
    assert BuildRecords(tmp_path, COMMIT, SETTINGS).load("documents").digest == FIRST


@pytest.mark.parametrize(("commit", "settings"), [("d" * 40, SETTINGS), (COMMIT, "f" * 64)])
def test_load_other_commit_or_settings_does_not_find_the_step(
    records: BuildRecords, tmp_path: Path, commit: str, settings: str
) -> None:
    records.save(artifact("documents", FIRST))
    with pytest.raises(ArtifactMismatch):
        BuildRecords(tmp_path, commit, settings).load("documents")


def test_load_step_that_has_not_run_is_named(records: BuildRecords) -> None:
    with pytest.raises(ArtifactMismatch, match="chunks has not been built") as caught:
        records.load("chunks")
    assert COMMIT[:12] in str(caught.value)
    assert "materialise chunks first" in str(caught.value)


def test_load_input_made_again_names_both_digests(records: BuildRecords) -> None:
    records.save(artifact("documents", FIRST))
    records.save(artifact("chunks", "cc" * 32, documents=FIRST))
    records.save(artifact("documents", SECOND))
    with pytest.raises(ArtifactMismatch, match="materialise chunks again") as caught:
        records.load("chunks")
    assert FIRST[:12] in str(caught.value)
    assert SECOND[:12] in str(caught.value)


def test_load_input_made_again_the_same_is_no_mixture(records: BuildRecords) -> None:
    records.save(artifact("documents", FIRST))
    records.save(artifact("chunks", SECOND, documents=FIRST))
    records.save(artifact("documents", FIRST))
    assert records.load("chunks").digest == SECOND


def test_load_input_that_is_no_step_is_not_looked_for(records: BuildRecords) -> None:
    records.save(artifact("embeddings", FIRST, model=SECOND))
    assert records.load("embeddings").inputs == {"model": SECOND}


@pytest.mark.parametrize("text", ["", "{", "{}", '{"step": "documents", "extra": 1}'])
def test_load_damaged_record_is_named(records: BuildRecords, text: str) -> None:
    records.save(artifact("documents", FIRST))
    (records.directory / "documents.json").write_text(text, encoding="utf-8")
    with pytest.raises(ArtifactDamaged, match="record of documents"):
        records.load("documents")


def test_load_damaged_record_of_an_input_is_named(records: BuildRecords) -> None:
    records.save(artifact("documents", FIRST))
    records.save(artifact("chunks", SECOND, documents=FIRST))
    (records.directory / "documents.json").write_text("{", encoding="utf-8")
    with pytest.raises(ArtifactDamaged, match="record of documents"):
        records.load("chunks")
