"""The documents table of a snapshot.

Belongs here: which pages are read again, and how pages become rows. One page: `page`.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

import pyarrow as pa

from zp_pipeline.caching.page_cache import PageCache
from zp_pipeline.documents.content_filter import too_large
from zp_pipeline.documents.page import Page, SkippedPage, parse_page
from zp_pipeline.shared.schema.tables import DOCUMENTS, WARNINGS

CODE_VERSION = "1"
BATCH_PAGES = 500  # at most this many parsed pages are lost when a build is killed

ReadBlobs: TypeAlias = Callable[[Iterable[str]], Iterator[tuple[str, bytes]]]
Row: TypeAlias = Mapping[str, Any]


def build_documents(
    snapshot: pa.Table, blobs: ReadBlobs, cache: PageCache, *, timezone: str, max_bytes: int
) -> tuple[pa.Table, pa.Table]:
    """Return documents and warnings, both in the order of `snapshot`.

    The cache's settings must hold `timezone`; a page over `max_bytes` is not read at all.
    """
    files = snapshot.to_pylist()
    wanted = {file["blob"] for file in files if file["size_bytes"] <= max_bytes}
    pages = cache.get_many(wanted)
    pages.update(_parse(blobs(sorted(wanted - pages.keys())), cache, timezone, max_bytes))
    documents: list[Row] = []
    warnings: list[Row] = []
    for file in files:
        page = pages.get(file["blob"]) or _over_limit(file["size_bytes"], max_bytes)
        identity = {name: file[name] for name in ("path", "path_bytes", "blob")}
        if page["document"]:
            documents.append({**identity, **page["document"]})
        warnings.extend({"path": file["path"], **warning} for warning in page["warnings"])
    return (
        pa.Table.from_pylist(documents, schema=DOCUMENTS),
        pa.Table.from_pylist(warnings, schema=WARNINGS),
    )


def _parse(
    blobs: Iterator[tuple[str, bytes]], cache: PageCache, timezone: str, max_bytes: int
) -> Iterator[tuple[str, Row]]:
    """Parse pages and keep them, by batches, in the cache."""
    batch: dict[str, Row] = {}
    for blob, raw in blobs:
        batch[blob] = _row(parse_page(raw, timezone=ZoneInfo(timezone), max_bytes=max_bytes))
        if len(batch) == BATCH_PAGES:
            cache.put_many(batch)
            yield from batch.items()
            batch = {}
    cache.put_many(batch)
    yield from batch.items()


def _row(page: Page | SkippedPage) -> Row:
    """Return a page as JSON: its columns, None for a file that is no page, and its warnings."""
    warnings = [asdict(warning) for warning in page.warnings]
    if isinstance(page, SkippedPage):
        return {"document": None, "warnings": warnings}
    columns = asdict(page)
    del columns["warnings"]
    columns |= columns.pop("rights")
    columns["front_matter"] = json.dumps(page.front_matter, ensure_ascii=False)
    return {"document": columns, "warnings": warnings}


def _over_limit(size_bytes: int, max_bytes: int) -> Row:
    return {"document": None, "warnings": [asdict(too_large(size_bytes, max_bytes))]}
