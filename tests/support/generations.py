"""Small stores of generations made of tiny files, to test pointer, retention and roll-back."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from zp_pipeline.shared.generation.artifacts import Recipe, Written
from zp_pipeline.shared.generation.digests import generation_id, root_digest
from zp_pipeline.shared.generation.manifest import GenerationManifest, ModelRecord
from zp_pipeline.shared.generation.store import GenerationStore
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US
from zp_pipeline.shared.schema.tables import DOCUMENTS

START = datetime(2026, 1, 1, tzinfo=UTC)


def new_store(directory: Path) -> GenerationStore:
    """Return an empty store."""
    return GenerationStore(directory / "store")


def document(path: str, **fields: Any) -> dict[str, Any]:
    """Return a row of `DOCUMENTS`: an open page, its text its title, unless `fields` say else."""
    title = fields.get("title", path)
    defaults = {
        "path": path,
        "path_bytes": path.encode(),
        "blob": "0" * 40,
        "title": title,
        "authors": [],
        "tags": [],
        "categories": [],
        "date": None,
        "published": True,
        "open": True,
        "allowed_groups": [],
        "valid_from_us": ALWAYS_FROM_US,
        "valid_to_us": ALWAYS_TO_US,
        "front_matter": "{}",
        "text": title,
        "body_start": 0,
    }
    return {**defaults, **fields}


def documents_table(*rows: dict[str, Any]) -> pa.Table:
    """Return a table of documents."""
    return pa.Table.from_pylist(list(rows), schema=DOCUMENTS)


def add_generation(
    store: GenerationStore, letter: str, *rows: dict[str, Any]
) -> GenerationManifest:
    """Add a generation of the commit `letter` x 40, built in the order of the alphabet."""
    table = documents_table(*(rows or (document(f"{letter}.md"),)))
    built_at = (
        START.replace(hour=ord(letter) - ord("a")) if letter < "y" else START.replace(hour=23)
    )

    def write(into: Path) -> Written:
        pq.write_table(table, into / "documents.parquet")
        return Written({"documents": table.num_rows})

    def write_nothing(into: Path) -> Written:
        return Written({"chunks": 0})

    records = {
        "documents": store.artifacts.produce(Recipe("documents", letter), write).record,
        "chunks": store.artifacts.produce(Recipe("chunks", letter), write_nothing).record,
    }
    root = root_digest({kind: record.digest for kind, record in records.items()})
    manifest = GenerationManifest(
        id=generation_id(letter * 40, root),
        commit=letter * 40,
        branch="master",
        committed_at=built_at,
        built_at=built_at,
        settings_fingerprint="f" * 64,
        artifacts=records,
        model=ModelRecord(name="m", revision="r", source="package", fingerprint="p"),
        lance_version="0",
        gate=[],
    )
    return store.save_manifest(manifest)
