"""Results of per-page work, kept by blob id, step, code version and settings.

Holds plain JSON values and knows nothing of the steps. A value that cannot be read back counts as
absent, so a damaged cache costs time and nothing else.
"""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

BATCH_KEYS = 500


class PageCache:
    """One step's view of the cache file. Keys are blob ids; values are JSON."""

    def __init__(
        self, path: Path, step: str, code_version: str, settings: Mapping[str, Any]
    ) -> None:
        """Open `path`, making it where needed; the result hangs on these `settings`."""
        self._path = path
        variant = json.dumps([step, code_version, dict(settings)], sort_keys=True)
        self._variant = hashlib.sha256(variant.encode()).hexdigest()[:16]
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS pages"
                " (variant TEXT, blob TEXT, checksum INTEGER, value BLOB,"
                " PRIMARY KEY (variant, blob)) WITHOUT ROWID"
            )

    def get_many(self, blobs: Iterable[str]) -> dict[str, Any]:
        """Return the values known for `blobs`; those unknown or damaged are left out."""
        wanted = sorted(set(blobs))
        found: dict[str, Any] = {}
        with closing(self._connect()) as connection:
            for start in range(0, len(wanted), BATCH_KEYS):
                batch = wanted[start : start + BATCH_KEYS]
                marks = ",".join("?" * len(batch))
                rows = connection.execute(
                    "SELECT blob, checksum, value FROM pages"
                    f" WHERE variant = ? AND blob IN ({marks})",
                    [self._variant, *batch],
                )
                found.update(
                    (blob, json.loads(zlib.decompress(value)))
                    for blob, checksum, value in rows
                    if zlib.crc32(value) == checksum
                )
        return found

    def put_many(self, values: Mapping[str, Any]) -> None:
        """Keep `values` by blob id."""
        packed = (
            (blob, zlib.compress(json.dumps(value).encode(), 1)) for blob, value in values.items()
        )
        rows = [(self._variant, blob, zlib.crc32(value), value) for blob, value in packed]
        with closing(self._connect()) as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", rows)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=30)
