"""The pages of a commit as a table, and what of it is no page.

Belongs here: what can be told from names and modes alone. Contents: `zp_pipeline.documents`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from zp_pipeline.shared.schema.tables import SNAPSHOT, WARNINGS
from zp_pipeline.wiki.objects import TreeEntry

# To be raised when the tables made of the same tree change.
CODE_VERSION = "1"

PAGE_ENDINGS = (b".md", b".markdown")
SYMLINK = "120000"
SUBMODULE = "160000"


def snapshot_table(entries: Iterable[TreeEntry]) -> tuple[pa.Table, pa.Table]:
    """Return the pages, by the bytes of their paths, and the warnings."""
    rows: dict[str, dict[str, Any]] = {}
    warnings: list[dict[str, Any]] = []
    for entry in sorted(entries, key=lambda entry: entry.path_bytes):
        path, problems = _path(entry.path_bytes), list(_problems(entry))
        if _is_page(entry) and path in rows:
            problems.append(("path_collision", "skipped: another path reads the same"))
        elif _is_page(entry):
            rows[path] = _row(entry, path)
        warnings += [
            {"path": path, "line": None, "code": code, "message": message}
            for code, message in problems
        ]
    return (
        pa.Table.from_pylist(list(rows.values()), schema=SNAPSHOT),
        pa.Table.from_pylist(warnings, schema=WARNINGS),
    )


def _path(path_bytes: bytes) -> str:
    """Return a path as text, bytes that are not UTF-8 as hexadecimal escapes."""
    return path_bytes.decode(errors="backslashreplace")


def _named_like_page(entry: TreeEntry) -> bool:
    return entry.path_bytes.lower().endswith(PAGE_ENDINGS)


def _is_page(entry: TreeEntry) -> bool:
    return entry.kind == "blob" and entry.mode != SYMLINK and _named_like_page(entry)


def _problems(entry: TreeEntry) -> Iterator[tuple[str, str]]:
    if entry.mode == SUBMODULE:
        yield "submodule", "skipped: a submodule, another repository"
    elif entry.mode == SYMLINK and _named_like_page(entry):
        yield "symlink", "skipped: a symbolic link"
    elif _is_page(entry) and _path(entry.path_bytes).encode() != entry.path_bytes:
        yield "path_not_utf8", "the path is not UTF-8; its other bytes are shown as \\xNN"


def _row(entry: TreeEntry, path: str) -> dict[str, Any]:
    return {
        "path": path,
        "path_bytes": entry.path_bytes,
        "mode": entry.mode,
        "blob": entry.blob,
        "size_bytes": entry.size_bytes,
    }
