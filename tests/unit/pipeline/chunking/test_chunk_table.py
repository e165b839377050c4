"""The step over tables: rows, line ranges, identifiers, the cache."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.caching.page_cache import PageCache
from zp_pipeline.chunking import CODE_VERSION, ChunkingSettings, build_chunks, chunk_text
from zp_pipeline.chunking.chunk_table import rows_of
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US
from zp_pipeline.shared.schema.tables import CHUNKS, DOCUMENTS

# The first example loads the vocabulary.
UNTIMED = settings(deadline=None)
SETTINGS = ChunkingSettings(max_tokens=40, overlap_tokens=10, min_tokens=5)
TEXT = "---\ntitle: A\n---\n\n# Ján\n\n" + "Veta má slová. " * 20 + "\n\n## Práca\n\nrok 2021\n"


def documents(*pages: tuple[str, str, str]) -> pa.Table:
    """Return a table of documents given as path, blob and text, whose front matter is 17 long."""
    rows = [
        {
            "path": path,
            "path_bytes": path.encode(),
            "blob": blob,
            **dict.fromkeys(["authors", "tags", "categories", "allowed_groups"], []),
            **dict.fromkeys(["published", "open"], True),
            "valid_from_us": ALWAYS_FROM_US,
            "valid_to_us": ALWAYS_TO_US,
            "front_matter": "{}",
            "text": text,
            "body_start": min(17, len(text)),
        }
        for path, blob, text in pages
    ]
    return pa.Table.from_pylist(rows, schema=DOCUMENTS)


class RecordingCache(PageCache):
    """A cache that remembers which blobs were computed."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "chunks", CODE_VERSION, {})
        self.computed: list[str] = []

    def put_many(self, values: Mapping[str, Any]) -> None:
        self.computed += list(values)
        super().put_many(values)


@pytest.fixture
def cache(tmp_path: Path) -> RecordingCache:
    return RecordingCache(tmp_path / "pages.sqlite")


def test_build_chunks_rows_follow_schema_and_text(cache: RecordingCache) -> None:
    table = build_chunks(documents(("a.md", "b1", TEXT)), SETTINGS, cache)
    assert table.schema == CHUNKS
    rows = table.to_pylist()
    assert [row["ordinal"] for row in rows] == list(range(len(rows)))
    assert rows[-1]["heading_path"] == ["Ján", "Práca"]
    for row in rows:
        assert row["text"] == TEXT[row["char_start"] : row["char_end"]]
        assert row["content_hash"] == hashlib.sha256(row["text"].encode()).hexdigest()


def test_build_chunks_lines_are_those_of_the_file(cache: RecordingCache) -> None:
    rows = build_chunks(documents(("a.md", "b1", TEXT)), SETTINGS, cache).to_pylist()
    assert (rows[0]["first_line"], rows[0]["last_line"]) == (4, 7)
    assert (rows[-1]["first_line"], rows[-1]["last_line"]) == (9, 11)


@UNTIMED
@given(st.text(alphabet="a#- \n", max_size=300))
def test_rows_of_lines_contain_the_text(text: str) -> None:
    lines = text.split("\n")
    for row in rows_of({"path": "a", "text": text}, table_fields(text)):
        part = row["text"].rstrip("\n")
        assert part in "\n".join(lines[row["first_line"] - 1 : row["last_line"]])
        assert row["last_line"] - row["first_line"] == part.count("\n")
        assert row["first_line"] == 1 + text[: row["char_start"]].count("\n")


def table_fields(text: str) -> list[list[object]]:
    """Return the chunks of `text` as the cache keeps them."""
    return [
        [c.ordinal, list(c.heading_path), c.char_start, c.own_start, c.char_end, c.token_count]
        for c in chunk_text(text, 0, SETTINGS)
    ]


def test_build_chunks_second_time_computes_nothing(cache: RecordingCache) -> None:
    table = documents(("a.md", "b1", TEXT), ("b.md", "b2", "úvod\n"), ("c.md", "b3", ""))
    first = build_chunks(table, SETTINGS, cache)
    assert sorted(cache.computed) == ["b1", "b2", "b3"]
    assert build_chunks(table, SETTINGS, cache).equals(first)
    assert sorted(cache.computed) == ["b1", "b2", "b3"]


def test_build_chunks_renamed_page_comes_from_cache_with_new_ids(cache: RecordingCache) -> None:
    before = build_chunks(documents(("a.md", "b1", TEXT)), SETTINGS, cache)
    after = build_chunks(documents(("nové/ň.md", "b1", TEXT)), SETTINGS, cache)
    assert cache.computed == ["b1"]
    assert set(after["path"].to_pylist()) == {"nové/ň.md"}
    assert not set(after["chunk_id"].to_pylist()) & set(before["chunk_id"].to_pylist())


def test_build_chunks_identical_copies_have_distinct_ids(cache: RecordingCache) -> None:
    table = documents(("a.md", "b1", TEXT), ("b.md", "b1", TEXT))
    ids = build_chunks(table, SETTINGS, cache)["chunk_id"].to_pylist()
    assert len(set(ids)) == len(ids)
    assert {len(chunk_id) for chunk_id in ids} == {20}
    assert cache.computed == ["b1"]


def test_build_chunks_same_blob_read_otherwise_is_chunked_again(cache: RecordingCache) -> None:
    build_chunks(documents(("a.md", "b1", TEXT)), SETTINGS, cache)
    table = build_chunks(documents(("a.md", "b1", TEXT + "koniec")), SETTINGS, cache)
    assert table["char_end"].to_pylist()[-1] == len(TEXT) + 6


def test_build_chunks_no_documents_gives_an_empty_table(cache: RecordingCache) -> None:
    table = build_chunks(documents(), SETTINGS, cache)
    assert (table.num_rows, table.schema) == (0, CHUNKS)
