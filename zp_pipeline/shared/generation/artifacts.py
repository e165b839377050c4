"""The artifact store: folders named by digest, written beside, synced, renamed, never changed.

Every artifact folder holds its files and `artifact.json`, which lists them with their SHA-256.
"""

import shutil
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.generation.digests import artifact_digest
from zp_pipeline.shared.generation.durable_files import (
    replace_text,
    sha256_of_file,
    sync_path,
    sync_tree,
)
from zp_pipeline.shared.generation.manifest import ArtifactRecord, FileRecord

RECORD_NAME = "artifact.json"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an artifact is made from, which is all that its name hangs on."""

    kind: str
    code_version: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The name of the artifact."""
        return artifact_digest(self.kind, self.code_version, self.settings, self.inputs)


@dataclass(frozen=True, slots=True)
class Written:
    """What a step says of the files it wrote: row counts by table, and other facts (JSON)."""

    rows: Mapping[str, int]
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact in the store. `reused` tells that it was there already."""

    record: ArtifactRecord
    directory: Path
    reused: bool

    def file(self, name: str) -> Path:
        """Return the path of one of its files."""
        return self.directory / name


class ArtifactStore:
    """Artifacts below `root`, one folder each: `<root>/<kind>/<digest>`."""

    def __init__(self, root: Path) -> None:
        """Use `root`, which is made when the first artifact is written."""
        self.root = root
        self._staging = root.parent / "staging"

    def directory(self, kind: str, digest: str) -> Path:
        """Return where an artifact is or would be."""
        return self.root / kind / digest

    def load(self, kind: str, digest: str) -> Artifact:
        """Return an artifact, its files unread. Raises `ArtifactDamaged` when it has no record."""
        directory = self.directory(kind, digest)
        try:
            text = (directory / RECORD_NAME).read_text(encoding="utf-8")
            record = ArtifactRecord.model_validate_json(text)
        except (OSError, ValidationError) as error:
            raise ArtifactDamaged(f"{kind} {digest[:12]}: no readable {RECORD_NAME}") from error
        return Artifact(record, directory, reused=True)

    def produce(self, recipe: Recipe, write: Callable[[Path], Written]) -> Artifact:
        """Return the artifact of `recipe`; `write` fills an empty folder only where there is none.

        A damaged artifact is moved out of the way and made again.
        """
        directory = self.directory(recipe.kind, recipe.digest)
        if directory.exists():
            try:
                artifact = self.load(recipe.kind, recipe.digest)
                verify_files(artifact.directory, artifact.record)
            except ArtifactDamaged:
                self._set_aside(directory)
            else:
                return artifact
        return self._write(recipe, directory, write)

    def clear_staging(self) -> None:
        """Remove what killed builds left half written. Only for the holder of the build lock."""
        shutil.rmtree(self._staging, ignore_errors=True)

    def _write(self, recipe: Recipe, directory: Path, write: Callable[[Path], Written]) -> Artifact:
        staging = self._new_staging(recipe.kind)
        written = write(staging)
        record = ArtifactRecord(
            kind=recipe.kind,
            digest=recipe.digest,
            code_version=recipe.code_version,
            settings=dict(recipe.settings),
            inputs=dict(recipe.inputs),
            files=file_records(staging),
            rows=dict(written.rows),
            facts=dict(written.facts),
        )
        replace_text(staging / RECORD_NAME, record.model_dump_json(indent=1))
        sync_tree(staging)
        directory.parent.mkdir(parents=True, exist_ok=True)
        staging.rename(directory)
        sync_path(directory.parent)
        return Artifact(record, directory, reused=False)

    def _set_aside(self, directory: Path) -> None:
        directory.rename(self._new_staging("damaged") / directory.name)

    def _new_staging(self, kind: str) -> Path:
        staging = self._staging / f"{kind}-{uuid.uuid4().hex}"
        staging.mkdir(parents=True)
        return staging


def file_records(directory: Path) -> dict[str, FileRecord]:
    """Return the SHA-256 and size of every file below `directory`, by relative path."""
    return {
        path.relative_to(directory).as_posix(): FileRecord(
            sha256=sha256_of_file(path), size_bytes=path.stat().st_size
        )
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def verify_files(directory: Path, record: ArtifactRecord) -> None:
    """Compare every file with its record. Raises `ArtifactDamaged` naming the first at fault."""
    name = f"{record.kind} {record.digest[:12]}"
    present = {
        path.relative_to(directory).as_posix()
        for path in directory.rglob("*")
        if path.is_file() and path.name != RECORD_NAME
    }
    # A file too many matters as well: a newer Lance manifest would be opened instead of ours.
    for path in sorted(present ^ set(record.files)):
        raise ArtifactDamaged(f"{name}: {path} is {'unexpected' if path in present else 'missing'}")
    for path, file in record.files.items():
        if (directory / path).stat().st_size != file.size_bytes:
            raise ArtifactDamaged(f"{name}: {path} has another size")
        if sha256_of_file(directory / path) != file.sha256:
            raise ArtifactDamaged(f"{name}: {path} has changed")
