"""Schemas of the pipeline's tables, in the order in which they are made.

Texts are NFC with LF line ends. Character offsets count code points of a document's `text`; lines
count from 1 and are the same in the raw file.
"""

import pyarrow as pa

from zp_pipeline.shared.schema.rights import RIGHTS_FIELDS

EMBEDDING_DIMENSIONS = 384

SNAPSHOT = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),  # bytes that are not UTF-8 as \xNN
        pa.field("path_bytes", pa.binary(), nullable=False),
        pa.field("mode", pa.string(), nullable=False),  # git's, such as 100644
        pa.field("blob", pa.string(), nullable=False),  # git object id, hex
        pa.field("size_bytes", pa.int64(), nullable=False),
    ]
)

DOCUMENTS = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),  # identifies the document
        pa.field("path_bytes", pa.binary(), nullable=False),
        pa.field("blob", pa.string(), nullable=False),
        pa.field("title", pa.string()),
        pa.field("authors", pa.list_(pa.string()), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("categories", pa.list_(pa.string()), nullable=False),
        pa.field("date", pa.string()),  # ISO text
        *RIGHTS_FIELDS,
        pa.field("front_matter", pa.string(), nullable=False),  # JSON, scalars as text
        pa.field("text", pa.large_string(), nullable=False),  # the file with its front matter
        pa.field("body_start", pa.int64(), nullable=False),  # offset of the body in `text`
    ]
)

WARNINGS = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("line", pa.int64()),  # null when it concerns the file as a whole
        pa.field("code", pa.string(), nullable=False),
        pa.field("message", pa.string(), nullable=False),
    ]
)

CHUNKS = pa.schema(
    [
        pa.field("chunk_id", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("ordinal", pa.int64(), nullable=False),  # within the document, from 0
        pa.field("heading_path", pa.list_(pa.string()), nullable=False),
        pa.field("text", pa.large_string(), nullable=False),  # document text[char_start:char_end]
        pa.field("char_start", pa.int64(), nullable=False),  # overlap included
        pa.field("own_start", pa.int64(), nullable=False),  # where the overlap ends
        pa.field("char_end", pa.int64(), nullable=False),
        pa.field("first_line", pa.int64(), nullable=False),
        pa.field("last_line", pa.int64(), nullable=False),
        pa.field("token_count", pa.int64(), nullable=False),
        pa.field("content_hash", pa.string(), nullable=False),  # SHA-256 of the text in UTF-8
    ]
)

EMBEDDINGS = pa.schema(
    [
        pa.field("chunk_id", pa.string(), nullable=False),
        pa.field("segment", pa.int64(), nullable=False),  # within the chunk, from 0
        pa.field("input_hash", pa.string(), nullable=False),  # SHA-256 of the exact encoder input
        pa.field("vector", pa.list_(pa.float32(), EMBEDDING_DIMENSIONS), nullable=False),
    ]
)
