"""Vectors by exact input and model, kept across builds.

A row that cannot be trusted counts as absent and a file that is no database is started anew: the
cache can only save time, never change a result.
"""

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

BATCH_KEYS = 500
MALFORMED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
TABLE = (
    "CREATE TABLE IF NOT EXISTS vectors"
    " (model TEXT, input_hash TEXT, checksum INTEGER, vector BLOB, PRIMARY KEY (model, input_hash))"
    " WITHOUT ROWID"
)

Vector = NDArray[np.float32]
Result = TypeVar("Result")


class EmbeddingCache:
    """One model's vectors in the cache file, by SHA-256 (hex) of the exact input."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        """Use the file at `path`, made when first needed, for the model of this fingerprint."""
        self._path = path
        self._model = fingerprint
        path.parent.mkdir(parents=True, exist_ok=True)

    def get_many(self, input_hashes: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors known for these inputs; those unknown or damaged are left out."""
        wanted = sorted(set(input_hashes))
        return self._run(lambda connection: self._read(connection, wanted))

    def put_many(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by input hash, in one transaction."""
        packed = ((key, vector.astype("<f4").tobytes()) for key, vector in vectors.items())
        rows = [(self._model, key, self._checksum(key, raw), raw) for key, raw in packed]
        self._run(
            lambda connection: connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows
            )
        )

    def _read(self, connection: sqlite3.Connection, wanted: list[str]) -> dict[str, Vector]:
        found = {}
        for start in range(0, len(wanted), BATCH_KEYS):
            batch = wanted[start : start + BATCH_KEYS]
            rows = connection.execute(
                "SELECT input_hash, checksum, vector FROM vectors"
                f" WHERE model = ? AND input_hash IN ({','.join('?' * len(batch))})",
                [self._model, *batch],
            )
            for key, checksum, raw in rows:
                if checksum == self._checksum(key, raw):
                    found[key] = np.frombuffer(raw, "<f4")
        return found

    def _checksum(self, key: str, raw: bytes) -> int:
        return zlib.crc32(raw, zlib.crc32(f"{self._model} {key}".encode()))

    def _run(self, action: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run `action` in a transaction; a file that is no database is removed first."""
        try:
            return self._attempt(action)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode not in MALFORMED:
                raise
            self._path.unlink()
            return self._attempt(action)

    def _attempt(self, action: Callable[[sqlite3.Connection], Result]) -> Result:
        with closing(sqlite3.connect(self._path, timeout=30)) as connection, connection:
            connection.execute(TABLE)
            return action(connection)
