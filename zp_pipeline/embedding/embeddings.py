"""The embeddings step: tables of documents and chunks in, the table of vectors out.

Puts the rooms beside it together: inputs by `segments`, known vectors by `cache`, new ones by an
encoder. Knows no files of the store and no Dagster.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from zp_pipeline.embedding.cache import EmbeddingCache
from zp_pipeline.embedding.passages import Encoder, Progress
from zp_pipeline.embedding.segments import (
    Passage,
    Segment,
    passage_header,
    segment_passages,
    whole_input,
)
from zp_pipeline.shared.schema.tables import EMBEDDING_DIMENSIONS, EMBEDDINGS

# To be raised when the inputs made for the same tables change.
CODE_VERSION = "1"

# Vectors kept at once: a killed run loses the work of a few seconds.
SAVED_TOGETHER = 64


@dataclass(frozen=True, slots=True)
class EmbeddingsResult:
    """The table, and what it took: `segments` = `computed` + `reused`."""

    table: pa.Table
    segments: int
    computed: int
    reused: int
    chunks: int


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """One row to be: a chunk, the number of a segment in it, and the digest of its input."""

    chunk_id: str
    segment: int
    input_hash: str


def build_embeddings(
    documents: pa.Table,
    chunks: pa.Table,
    encoder: Encoder,
    cache: EmbeddingCache,
    progress: Progress | None = None,
) -> EmbeddingsResult:
    """Return a vector for each segment of each chunk (schema `EMBEDDINGS`), in the chunks' order.

    `progress` is called with the number of new vectors made and the number to be made.
    """
    passages = passages_of(documents, chunks)
    inputs = {digest(text): text for text in map(whole_input, passages)}
    vectors = cache.get_many(inputs)
    known = {inputs[key] for key in vectors}
    segmented = segment_passages(passages, encoder.count_tokens, known)
    rows, texts = segment_rows(chunks["chunk_id"].to_pylist(), segmented)
    vectors |= cache.get_many(texts.keys() - vectors.keys())
    missing = {key: text for key, text in texts.items() if key not in vectors}
    vectors |= _compute(missing, encoder, cache, progress)
    return EmbeddingsResult(
        table=_table(rows, vectors),
        segments=len(rows),
        computed=len(missing),
        reused=len(rows) - len(missing),
        chunks=len(chunks),
    )


def passages_of(documents: pa.Table, chunks: pa.Table) -> list[Passage]:
    """Return each chunk as the model should see it, with the metadata of its document."""
    columns = ["path", "title", "authors", "tags", "categories"]
    metadata = {row.pop("path"): row for row in documents.select(columns).to_pylist()}
    return [
        Passage(
            header=passage_header(**metadata[row["path"]], heading_path=row["heading_path"]),
            content=row["text"],
        )
        for row in chunks.select(["path", "heading_path", "text"]).to_pylist()
    ]


def segment_rows(
    chunk_ids: Sequence[str], segmented: Sequence[Sequence[Segment]]
) -> tuple[list[SegmentInput], dict[str, str]]:
    """Return the rows of all segments, and the distinct inputs by their digest."""
    rows, texts = [], {}
    for chunk_id, segments in zip(chunk_ids, segmented, strict=True):
        for number, segment in enumerate(segments):
            key = digest(segment.text)
            texts[key] = segment.text
            rows.append(SegmentInput(chunk_id, number, key))
    return rows, texts


def digest(text: str) -> str:
    """Return the SHA-256 of an input, hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def _compute(
    missing: Mapping[str, str], encoder: Encoder, cache: EmbeddingCache, progress: Progress | None
) -> dict[str, NDArray[np.float32]]:
    """Encode the missing inputs, longest first, keeping the vectors as they come."""
    keys = sorted(missing, key=lambda key: (-len(missing[key]), key))
    made: dict[str, NDArray[np.float32]] = {}
    for start in range(0, len(keys), SAVED_TOGETHER):
        batch = keys[start : start + SAVED_TOGETHER]
        new = dict(zip(batch, encoder.encode([missing[key] for key in batch]), strict=True))
        cache.put_many(new)
        made |= new
        if progress:
            progress(len(made), len(keys))
    return made


def _table(rows: Sequence[SegmentInput], vectors: Mapping[str, NDArray[np.float32]]) -> pa.Table:
    matrix = np.empty((len(rows), EMBEDDING_DIMENSIONS), np.float32)
    for index, row in enumerate(rows):
        matrix[index] = vectors[row.input_hash]
    columns = [
        pa.array([row.chunk_id for row in rows], pa.string()),
        pa.array([row.segment for row in rows], pa.int64()),
        pa.array([row.input_hash for row in rows], pa.string()),
        pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), EMBEDDING_DIMENSIONS),
    ]
    return pa.table(columns, schema=EMBEDDINGS)
