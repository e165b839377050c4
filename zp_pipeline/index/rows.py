"""Joins documents, chunks and embeddings into the rows of the search index.

Decides what of a chunk is searched: title, heading path, authors, tags and text. Writing the rows
is `writer`.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from zp_pipeline.shared.errors import ArtifactDamaged, ArtifactMismatch
from zp_pipeline.shared.schema.index import INDEX_ROWS, INDEX_SEGMENTS
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US, RIGHTS_FIELDS
from zp_pipeline.shared.schema.tables import EMBEDDING_DIMENSIONS
from zp_pipeline.shared.text.analyzer import fold, surfaces
from zp_pipeline.shared.text.views import prefixes

_OF_DOCUMENT = ["title", "authors", "tags", "categories", "blob", *(f.name for f in RIGHTS_FIELDS)]


def join_documents(documents: pa.Table, chunks: pa.Table) -> pa.Table:
    """Return the chunks by path and ordinal, with the columns of their document beside.

    Raises `ArtifactMismatch` when a chunk's document is not among `documents`.
    """
    ordered = chunks.sort_by([("path", "ascending"), ("ordinal", "ascending")])
    places = pc.index_in(ordered["path"], documents["path"].combine_chunks())
    if places.null_count:
        raise ArtifactMismatch(f"{places.null_count} chunks belong to no document")
    joined = ordered
    for name in _OF_DOCUMENT:
        joined = joined.append_column(documents.schema.field(name), documents[name].take(places))
    return joined.append_column(INDEX_ROWS.field("row"), pa.array(range(len(joined)), pa.int64()))


def searched_surfaces(joined: pa.Table) -> list[list[str]]:
    """Return the surface words of each row, in the order title, headings, authors, tags, text."""
    records = joined.select(["title", "heading_path", "authors", "tags", "text"]).to_pylist()
    return [surfaces(_searched_text(record)) for record in records]


def index_rows(joined: pa.Table, texts: Sequence[Sequence[str]]) -> pa.Table:
    """Return the rows of table `chunks`: `joined` with its pre-tokenised columns.

    `texts` has the surface words of each row.
    """
    folded = {surface: fold(surface) for surface in set(chain.from_iterable(texts))}
    words = [[folded[surface] for surface in text] for text in texts]
    columns = {
        "words": [" ".join(row) for row in words],
        "prefixes": [" ".join(_distinct_prefixes(row)) for row in words],
    }
    for name, values in columns.items():
        joined = joined.append_column(INDEX_ROWS.field(name), pa.array(values, pa.large_string()))
    return joined.select(INDEX_ROWS.names).cast(INDEX_ROWS)


def index_segments(joined: pa.Table, embeddings: pa.Table) -> pa.Table:
    """Return the rows of table `segments`, by chunk row and segment.

    Raises `ArtifactMismatch` when a vector belongs to no chunk, `ArtifactDamaged` when one is not
    finite.
    """
    rows = pc.index_in(embeddings["chunk_id"], joined["chunk_id"].combine_chunks())
    if rows.null_count:
        raise ArtifactMismatch(f"{rows.null_count} embeddings belong to no chunk")
    if not np.isfinite(segment_matrix(embeddings)).all():
        raise ArtifactDamaged("an embedding holds a value that is not finite")
    table = embeddings.select(["segment", "vector"]).append_column("row", rows.cast(pa.int64()))
    for field in RIGHTS_FIELDS:
        table = table.append_column(field, joined[field.name].take(rows))
    ordered = table.sort_by([("row", "ascending"), ("segment", "ascending")])
    return ordered.select(INDEX_SEGMENTS.names).cast(INDEX_SEGMENTS)


def segment_matrix(table: pa.Table) -> NDArray[np.float32]:
    """Return the column `vector` as a matrix, shape (segments, dimensions)."""
    values = table["vector"].combine_chunks().flatten()
    flat: NDArray[np.float32] = values.to_numpy(zero_copy_only=False)
    return flat.reshape(-1, EMBEDDING_DIMENSIONS)


def open_to_everyone(joined: pa.Table) -> NDArray[np.bool_]:
    """Return which rows every caller may see at any time."""
    always = pc.and_(
        pc.equal(joined["valid_from_us"], ALWAYS_FROM_US),
        pc.equal(joined["valid_to_us"], ALWAYS_TO_US),
    )
    open_rows = pc.and_(pc.and_(joined["open"], joined["published"]), always)
    return np.asarray(open_rows.to_numpy(), dtype=np.bool_)


def _distinct_prefixes(words: Sequence[str]) -> dict[str, None]:
    return dict.fromkeys(prefix for word in dict.fromkeys(words) for prefix in prefixes(word))


def _searched_text(record: Mapping[str, Any]) -> str:
    lists = (record[name] for name in ("heading_path", "authors", "tags"))
    return "\n".join([record["title"] or "", *chain.from_iterable(lists), record["text"]])
