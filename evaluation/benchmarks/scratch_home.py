"""A ZP_HOME for a benchmark: a given folder, kept for the other benchmarks, or a throwaway one."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_home(kept: Path | None, assets: Path) -> Iterator[Path]:
    """Yield a home that uses the prepared model in `assets`; without `kept` it goes at the end."""
    with tempfile.TemporaryDirectory() as scratch:
        home = kept or Path(scratch)
        home.mkdir(parents=True, exist_ok=True)
        if not (home / "assets").exists():
            (home / "assets").symlink_to(assets.resolve(), target_is_directory=True)
        yield home
