"""The pipeline's step: a table of documents into the table of their chunks, helped by the cache.

The work on one text: `chunker`.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from itertools import accumulate
from typing import Any

import pyarrow as pa

from zp_pipeline.caching.page_cache import PageCache
from zp_pipeline.chunking.chunk import Chunk, ChunkingSettings
from zp_pipeline.chunking.chunker import chunk_text
from zp_pipeline.shared.schema.tables import CHUNKS

CODE_VERSION = "1"

CHUNK_ID_DIGITS = 20


def build_chunks(documents: pa.Table, settings: ChunkingSettings, cache: PageCache) -> pa.Table:
    """Return the chunks (schema `CHUNKS`) of `documents` (schema `DOCUMENTS`), in their order.

    `cache` must have been opened for this step, `CODE_VERSION` and `settings`. Identical copies
    are chunked once.
    """
    pages = documents.select(["path", "blob", "text", "body_start"]).to_pylist()
    entries = cache.get_many(page["blob"] for page in pages)
    fresh: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    for page in pages:
        text_hash = sha256_of(f"{page['body_start']} {page['text']}")
        # The same blob gives another text once the reading of documents changes.
        if entries.get(page["blob"], {}).get("text_hash") != text_hash:
            chunks = chunk_text(page["text"], page["body_start"], settings)
            entry = {"text_hash": text_hash, "chunks": [astuple(chunk) for chunk in chunks]}
            entries[page["blob"]] = fresh[page["blob"]] = entry
        rows.extend(rows_of(page, entries[page["blob"]]["chunks"]))
    cache.put_many(fresh)
    return pa.Table.from_pylist(rows, schema=CHUNKS)


def rows_of(page: Mapping[str, Any], chunks: list[list[Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a page's chunks, which are the fields of `Chunk` in order."""
    text: str = page["text"]
    breaks = line_breaks(text)
    for chunk in (Chunk(*fields) for fields in chunks):
        chunk_part = text[chunk.char_start : chunk.char_end]
        last_character = chunk.char_start + max(len(chunk_part.rstrip("\n")) - 1, 0)
        content_hash = sha256_of(chunk_part)
        yield {
            "chunk_id": chunk_id(page["path"], chunk.ordinal, content_hash),
            "path": page["path"],
            "ordinal": chunk.ordinal,
            "heading_path": chunk.heading_path,
            "text": chunk_part,
            "char_start": chunk.char_start,
            "own_start": chunk.own_start,
            "char_end": chunk.char_end,
            "first_line": 1 + bisect_left(breaks, chunk.char_start),
            "last_line": 1 + bisect_left(breaks, last_character),
            "token_count": chunk.token_count,
            "content_hash": content_hash,
        }


def chunk_id(path: str, ordinal: int, content_hash: str) -> str:
    """Return the identifier of a chunk, which changes when its place or its text does."""
    return sha256_of("\0".join([path, str(ordinal), content_hash]))[:CHUNK_ID_DIGITS]


def line_breaks(text: str) -> list[int]:
    """Return the offsets of the line breaks in `text`."""
    lengths = (len(line) + 1 for line in text.split("\n"))
    return [end - 1 for end in accumulate(lengths)][:-1]


def sha256_of(text: str) -> str:
    """Return the SHA-256 of `text` in UTF-8, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
