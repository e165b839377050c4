"""Writes a search index into an empty directory: a LanceDB database and the arrays beside it.

What the rows hold is decided in `rows`, the term arrays are made in `terms`. The names of
LanceDB's files are random, so two indexes of the same input differ in bytes and not in answers.
"""

from importlib.metadata import version
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.db import DBConnection
from lancedb.index import FTS, IvfRq
from lancedb.table import Table

from zp_pipeline.index.rows import (
    index_rows,
    index_segments,
    join_documents,
    open_to_everyone,
    searched_surfaces,
    segment_matrix,
)
from zp_pipeline.index.terms import build_views
from zp_pipeline.shared.schema.index import (
    CHUNKS_TABLE,
    DATABASE_FOLDER,
    EXACT_SEGMENTS_LIMIT,
    SEGMENTS_TABLE,
    TERMS_FOLDER,
    VECTORS_FOLDER,
    IndexFacts,
)

FULL_TEXT_COLUMNS = ("words", "prefixes")

# The columns hold the analyzer's terms with spaces between; LanceDB is to add no rules of its own.
PRE_TOKENISED = FTS(
    base_tokenizer="whitespace",
    lower_case=False,
    ascii_folding=False,
    stem=False,
    remove_stop_words=False,
    max_token_length=None,
)


def write_index(
    directory: Path,
    documents: pa.Table,
    chunks: pa.Table,
    embeddings: pa.Table,
    exact_limit: int = EXACT_SEGMENTS_LIMIT,
) -> IndexFacts:
    """Write the index of the three tables into `directory` and return what to record of it.

    Vectors get an approximate index only above `exact_limit` segments. Raises `ArtifactMismatch`
    when the tables do not belong together, `ArtifactDamaged` when a vector is not finite.
    """
    joined = join_documents(documents, chunks)
    texts = searched_surfaces(joined)
    segments = index_segments(joined, embeddings)
    database = lancedb.connect(directory / DATABASE_FOLDER)
    chunk_table = _write_chunks(database, index_rows(joined, texts))
    segment_table = _write_segments(database, segments, exact_limit)
    _write_vectors(directory / VECTORS_FOLDER, segments, len(joined))
    for name, arrays in build_views(texts, open_to_everyone(joined)).items():
        arrays.save(directory / TERMS_FOLDER / name)
    return IndexFacts(
        rows=len(joined),
        segments=len(segments),
        chunks_version=chunk_table.version,
        segments_version=segment_table.version,
        approximate=len(segments) > exact_limit,
        lancedb=version("lancedb"),
    )


def _write_chunks(database: DBConnection, rows: pa.Table) -> Table:
    """Write table `chunks` with its full-text indexes."""
    table = database.create_table(CHUNKS_TABLE, rows)
    for column in FULL_TEXT_COLUMNS:
        table.create_index(column, config=PRE_TOKENISED)
    return table


def _write_segments(database: DBConnection, segments: pa.Table, exact_limit: int) -> Table:
    """Write table `segments`, with an approximate index where an exact search would be slow."""
    table = database.create_table(SEGMENTS_TABLE, segments)
    if len(segments) > exact_limit:
        table.create_index("vector", config=IvfRq(distance_type="cosine"))
    return table


def _write_vectors(directory: Path, segments: pa.Table, row_count: int) -> None:
    """Write the vectors as a matrix, and where in it each chunk's segments begin."""
    directory.mkdir()
    np.save(directory / "matrix.npy", segment_matrix(segments))
    rows = segments["row"].to_numpy()
    np.save(directory / "offsets.npy", np.searchsorted(rows, np.arange(row_count + 1)))
