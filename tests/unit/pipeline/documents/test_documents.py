"""The documents table: rows, warnings, and what is read only once."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from zp_pipeline.caching.page_cache import PageCache
from zp_pipeline.documents.documents import CODE_VERSION, build_documents
from zp_pipeline.shared.schema.tables import DOCUMENTS, SNAPSHOT, WARNINGS

ZONE = "Europe/Bratislava"


class Blobs:
    """Gives blobs from memory and remembers which were asked for."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        self.contents = contents
        self.asked: list[str] = []

    def __call__(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield blobs."""
        for blob in ids:
            self.asked.append(blob)
            yield blob, self.contents[blob]

    def snapshot(self, **pages: str) -> pa.Table:
        """Return a snapshot of pages, given by name and blob."""
        rows = [
            {
                "path": f"{name}.md",
                "path_bytes": f"{name}.md".encode(),
                "mode": "100644",
                "blob": blob,
                "size_bytes": len(self.contents[blob]),
            }
            for name, blob in pages.items()
        ]
        return pa.Table.from_pylist(rows, schema=SNAPSHOT)


@pytest.fixture
def cache(tmp_path: Path) -> PageCache:
    """Return an empty cache."""
    return PageCache(tmp_path / "pages.sqlite", "documents", CODE_VERSION, {"timezone": ZONE})


@pytest.fixture
def blobs() -> Blobs:
    """Return three contents."""
    page = "---\ntitle: Práca\ntags: [ir]\nallowed_groups: [staff]\n---\nText\n".encode()
    return Blobs({"page": page, "binary": b"\0", "large": b"x" * 1000})


def build(snapshot: pa.Table, blobs: Blobs, cache: PageCache) -> tuple[pa.Table, pa.Table]:
    """Build with a limit of 500 bytes."""
    return build_documents(snapshot, blobs, cache, timezone=ZONE, max_bytes=500)


def test_build_documents_row_has_all_columns(blobs: Blobs, cache: PageCache) -> None:
    documents, warnings = build(blobs.snapshot(a="page"), blobs, cache)
    assert (documents.schema, warnings.schema) == (DOCUMENTS, WARNINGS)
    row = documents.to_pylist()[0]
    assert (row["path"], row["blob"], row["title"]) == ("a.md", "page", "Práca")
    assert (row["published"], row["open"], row["allowed_groups"]) == (True, False, ["staff"])
    assert json.loads(row["front_matter"])["tags"] == ["ir"]
    assert row["text"][row["body_start"] :] == "Text\n"
    assert warnings.num_rows == 0


def test_build_documents_skipped_files_are_only_warned_of(blobs: Blobs, cache: PageCache) -> None:
    documents, warnings = build(blobs.snapshot(a="binary", b="large", c="page"), blobs, cache)
    assert documents["path"].to_pylist() == ["c.md"]
    found = [(row["path"], row["line"], row["code"]) for row in warnings.to_pylist()]
    assert found == [("a.md", 1, "binary"), ("b.md", None, "too_large")]
    assert "large" not in blobs.asked


def test_build_documents_identical_copies_are_two_documents(blobs: Blobs, cache: PageCache) -> None:
    documents, _ = build(blobs.snapshot(a="page", b="page"), blobs, cache)
    assert documents["path"].to_pylist() == ["a.md", "b.md"]
    assert blobs.asked == ["page"]


def test_build_documents_second_time_reads_nothing(blobs: Blobs, cache: PageCache) -> None:
    snapshot = blobs.snapshot(a="page", b="binary", c="large")
    first = build(snapshot, blobs, cache)
    blobs.asked.clear()
    assert build(snapshot, blobs, cache) == first
    assert blobs.asked == []


def test_build_documents_batches_of_pages_are_all_kept(cache: PageCache) -> None:
    many = Blobs({f"blob{number}": f"# {number}\n".encode() for number in range(1201)})
    snapshot = many.snapshot(**{f"p{number}": f"blob{number}" for number in range(1201)})
    documents, _ = build(snapshot, many, cache)
    assert documents["title"].to_pylist() == [str(number) for number in range(1201)]
    assert len(cache.get_many(many.contents)) == 1201


def test_build_documents_empty_snapshot_gives_empty_tables(blobs: Blobs, cache: PageCache) -> None:
    documents, warnings = build(blobs.snapshot(), blobs, cache)
    assert (documents.num_rows, warnings.num_rows) == (0, 0)
