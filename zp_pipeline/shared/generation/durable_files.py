"""Writing files so that a crash at any moment leaves the old state or the new one.

LanceDB never calls fsync (measured on 0.40), so a whole directory is synced here before its rename.
"""

import hashlib
import os
from pathlib import Path

READ_BYTES = 1024 * 1024


def sync_directory(directory: Path) -> None:
    """Make the entries of `directory` durable."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Make the content of `path` durable."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_tree(directory: Path) -> None:
    """Make every file and folder below `directory` durable."""
    for folder, _, names in os.walk(directory):
        for name in names:
            sync_file(Path(folder) / name)
        sync_directory(Path(folder))


def replace_text(path: Path, text: str) -> None:
    """Replace the content of `path` atomically and durably."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_directory(path.parent)


def sha256_of_file(path: Path) -> str:
    """Return the SHA-256 of a file as hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(READ_BYTES):
            digest.update(block)
    return digest.hexdigest()
