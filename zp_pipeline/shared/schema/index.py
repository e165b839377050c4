"""The files of a search index and the schemas of its LanceDB tables, for writer and reader.

A row is one chunk; rows are numbered by path and ordinal, so that the number breaks ties in the
order of paths and is the offset in the table. Beside the database lie arrays (`terms/<view>/`,
`vectors/`) in the same numbering, which are mapped into memory.
"""

from dataclasses import dataclass

import pyarrow as pa

from zp_pipeline.shared.schema.rights import RIGHTS_FIELDS
from zp_pipeline.shared.schema.tables import EMBEDDING_DIMENSIONS

DATABASE_FOLDER = "lance"
TERMS_FOLDER = "terms"
VECTORS_FOLDER = "vectors"

CHUNKS_TABLE = "chunks"
SEGMENTS_TABLE = "segments"

# Measured: up to here an exact product in memory (20 ms at 100,000) beats LanceDB's flat search
# seven times and its approximate index needs refining to reach the same recall.
EXACT_SEGMENTS_LIMIT = 200_000

INDEX_ROWS = pa.schema(
    [
        pa.field("row", pa.int64(), nullable=False),
        pa.field("chunk_id", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("ordinal", pa.int64(), nullable=False),
        pa.field("title", pa.string()),
        pa.field("authors", pa.list_(pa.string()), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("categories", pa.list_(pa.string()), nullable=False),
        pa.field("heading_path", pa.list_(pa.string()), nullable=False),
        pa.field("text", pa.large_string(), nullable=False),
        pa.field("char_start", pa.int64(), nullable=False),
        pa.field("own_start", pa.int64(), nullable=False),
        pa.field("char_end", pa.int64(), nullable=False),
        pa.field("first_line", pa.int64(), nullable=False),
        pa.field("last_line", pa.int64(), nullable=False),
        pa.field("blob", pa.string(), nullable=False),
        pa.field("content_hash", pa.string(), nullable=False),
        *RIGHTS_FIELDS,
        pa.field("words", pa.large_string(), nullable=False),  # folded, in order, space between
        pa.field("prefixes", pa.large_string(), nullable=False),  # of all words, each once
    ]
)

INDEX_SEGMENTS = pa.schema(
    [
        pa.field("row", pa.int64(), nullable=False),  # of the chunk
        pa.field("segment", pa.int64(), nullable=False),
        *RIGHTS_FIELDS,
        pa.field("vector", pa.list_(pa.float32(), EMBEDDING_DIMENSIONS), nullable=False),
    ]
)


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """What a manifest records of an index, and what must be met when it is opened.

    LanceDB silently opens an older version when its newest manifest file is missing, hence the
    versions of the tables.
    """

    rows: int
    segments: int
    chunks_version: int
    segments_version: int
    approximate: bool  # vectors have an approximate index
    lancedb: str  # the library that wrote it
