"""Writing files so that a crash at any moment leaves the old state or the new one.

LanceDB never calls fsync (measured on 0.40), so a whole directory is synced here before its rename.
"""

import hashlib
import os
from pathlib import Path

READ_BYTES = 1024 * 1024


def sync_path(path: Path) -> None:
    """Make the content of a file, or the entries of a folder, durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(directory: Path) -> None:
    """Make every file and folder below `directory` durable."""
    for folder, _, names in os.walk(directory):
        for name in names:
            sync_path(Path(folder) / name)
        sync_path(Path(folder))


def replace_text(path: Path, text: str) -> None:
    """Replace the content of `path` atomically and durably."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_path(path.parent)


def sha256_of_file(path: Path) -> str:
    """Return the SHA-256 of a file as hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(READ_BYTES):
            digest.update(block)
    return digest.hexdigest()
