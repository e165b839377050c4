"""The LanceDB tables of one index, opened for reading. Nothing else in search talks to LanceDB.

LanceDB's asynchronous interface takes half the time of the synchronous one (measured on 0.40) and
runs queries of one search side by side, so the tables own an event loop in a thread of their own.
The directory must not go away while they are open.
"""

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.query import FullTextOperator, MatchQuery
from lancedb.table import AsyncTable
from numpy.typing import NDArray

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.schema.index import (
    CHUNKS_TABLE,
    DATABASE_FOLDER,
    SEGMENTS_TABLE,
    IndexFacts,
)

# The defaults of the approximate index lose half of the neighbours; with these the recall was .98
# and more at 100,000 and at a million vectors.
NPROBES = 50
REFINE_FACTOR = 10


class LanceTables:
    """Tables `chunks` and `segments`. Futures are those of `concurrent.futures`."""

    def __init__(self, directory: Path) -> None:
        """Open the database under `directory`. Raises `ArtifactDamaged` when it cannot be."""
        database = (directory / DATABASE_FOLDER).resolve()
        if not database.is_dir():  # LanceDB would make it
            raise ArtifactDamaged(f"no database in the index {directory.name}")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="lance", daemon=True)
        self._thread.start()
        try:
            self._chunks, self._segments = self._start(_open_tables(database)).result()
        except (OSError, ValueError, RuntimeError) as error:
            self._stop()
            raise ArtifactDamaged(f"the index {directory.name} cannot be opened: {error}") from None

    def verify(self, expected: IndexFacts) -> None:
        """Raise `ArtifactDamaged` when versions or counts are not those recorded."""
        found = self._start(self._facts()).result()
        wanted = {
            "chunks version": expected.chunks_version,
            "segments version": expected.segments_version,
            "rows": expected.rows,
            "segments": expected.segments,
        }
        wrong = [
            f"{name} {found[name]}, not {wanted[name]}"
            for name in wanted
            if found[name] != wanted[name]
        ]
        if wrong:
            raise ArtifactDamaged(f"the index has {'; '.join(wrong)}")

    def match_all(
        self, column: str, terms: Sequence[str], where: str, limit: int
    ) -> Future[pa.Table]:
        """Start a search for rows whose pre-tokenised `column` has all `terms`; column `row`."""
        query = MatchQuery(" ".join(terms), column, operator=FullTextOperator.AND)
        search = self._chunks.query().nearest_to_text(query).where(where).limit(limit)
        return self._start(search.select(["row", "_score"]).to_arrow())

    def nearest(self, vector: NDArray[Any], where: str, limit: int) -> Future[pa.Table]:
        """Start an approximate search for the segments nearest to `vector`; column `row`."""
        search = self._segments.query().nearest_to(vector).distance_type("cosine").where(where)
        refined = search.nprobes(NPROBES).refine_factor(REFINE_FACTOR).limit(limit)
        return self._start(refined.select(["row", "_distance"]).to_arrow())

    def take(self, rows: Sequence[int], columns: Sequence[str]) -> dict[int, dict[str, Any]]:
        """Return `columns` of the chunks by row number."""
        if not rows:
            return {}
        taken = self._start(
            self._chunks.take_offsets(list(rows)).select(["row", *columns]).to_arrow()
        )
        return {record["row"]: record for record in taken.result().to_pylist()}

    def scan(self, columns: Sequence[str]) -> pa.Table:
        """Return `columns` of all chunks in the order of rows."""
        query = self._chunks.query().select(["row", *columns])
        return self._start(query.to_arrow()).result().sort_by("row")

    def indexed_rows(self) -> dict[str, int]:
        """Return how many rows the full-text index of each column covers."""
        counts: dict[str, int] = self._start(self._indexed_rows()).result()
        return counts

    def close(self) -> None:
        """Close the tables. No search may be under way."""
        self._chunks.close()
        self._segments.close()
        self._stop()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _start(self, coroutine: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    async def _facts(self) -> dict[str, int]:
        return {
            "chunks version": await self._chunks.version(),
            "segments version": await self._segments.version(),
            "rows": await self._chunks.count_rows(),
            "segments": await self._segments.count_rows(),
        }

    async def _indexed_rows(self) -> dict[str, int]:
        indices = {index.columns[0]: index.name for index in await self._chunks.list_indices()}
        stats = {column: await self._chunks.index_stats(name) for column, name in indices.items()}
        return {column: found.num_indexed_rows for column, found in stats.items() if found}


async def _open_tables(database: Path) -> tuple[AsyncTable, AsyncTable]:
    connection = await lancedb.connect_async(database)
    return await connection.open_table(CHUNKS_TABLE), await connection.open_table(SEGMENTS_TABLE)
