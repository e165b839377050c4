"""`make setup`: writes `.env` with random keys where there is none. Run as a module."""

import os
import secrets
import sys
from pathlib import Path

KEY_BYTES = 32
KEYS = ("SEARCH_API_KEY", "SYNC_API_KEY", "WEBHOOK_SECRET")


def write_first_settings(path: Path) -> None:
    """Write the keys into a file that only its owner may read; one that exists is kept."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{name}={secrets.token_hex(KEY_BYTES)}\n" for name in KEYS)


if __name__ == "__main__":
    write_first_settings(Path(sys.argv[1]))
