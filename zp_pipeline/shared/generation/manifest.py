"""What a generation is made of, as JSON.

A manifest is written once, and changed only where an artifact was damaged and had to be made again
(`store`).
"""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

MANIFEST_SCHEMA_VERSION = 1


class Record(BaseModel):
    """Base of the records: unknown fields are refused, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FileRecord(Record):
    """One file of an artifact."""

    sha256: str
    size_bytes: int


class ArtifactRecord(Record):
    """One immutable artifact; `files` by path relative to its folder, `inputs` by kind."""

    kind: str
    digest: str
    code_version: str
    settings: dict[str, Any]
    inputs: dict[str, str]
    files: dict[str, FileRecord]
    rows: dict[str, int]
    facts: dict[str, Any]


class CheckRecord(Record):
    """The outcome of one check of the gate."""

    name: str
    passed: bool
    detail: str


class ModelRecord(Record):
    """The embedding model; `source` is `hub` or `package`."""

    name: str
    revision: str
    source: str
    fingerprint: str


class GenerationManifest(Record):
    """A generation: one commit of the wiki and all that was made from it."""

    schema_version: int = MANIFEST_SCHEMA_VERSION
    id: str
    commit: str
    branch: str
    committed_at: datetime
    built_at: datetime
    settings_fingerprint: str
    artifacts: dict[str, ArtifactRecord]
    model: ModelRecord
    lance_version: str
    graph: dict[str, Any] | None = None
    gate: list[CheckRecord]

    @property
    def documents(self) -> int:
        """Number of documents."""
        return self.artifacts["documents"].rows["documents"]

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return self.artifacts["chunks"].rows["chunks"]
