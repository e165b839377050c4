"""Who may build, and who is still at it. Both are `flock`s, which the kernel drops on kill -9.

`build.lock` is held by the one run that writes, whose id stands in it. `runs/<run_id>.lock` is held
by the process that executes the run, from before it claims anything, also while it waits for
`build.lock`. Here are locks only; what becomes of a dead run's requests stands in `shared.sync`.

A lock belongs to an open file, so two threads exclude each other as two processes do. A child made
by a bare fork shares the file: it must not outlive the run.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, LOCK_UN, flock
from pathlib import Path

KEPT_RUN_FILES = 200


class BuildLock:
    """The locks of one home."""

    def __init__(self, home: Path) -> None:
        """Name the lock files under `home`; they are made when first held."""
        self._path = home / "build.lock"
        self._runs = home / "runs"

    @contextmanager
    def hold(
        self, run_id: str, on_wait: Callable[[str | None], None] | None = None
    ) -> Iterator[None]:
        """Hold `build.lock`, waiting for it where needed. Use it inside `alive(run_id)`.

        `on_wait` is called once before waiting, with the run that is in the way where it is known.
        """
        with _opened(self._path) as file:
            if not _try_lock(file, LOCK_EX):
                if on_wait is not None:
                    on_wait(self.holder())
                flock(file, LOCK_EX)
            with _signed(file, run_id):
                yield

    @contextmanager
    def try_hold(self, run_id: str) -> Iterator[bool]:
        """Hold `build.lock` if it is free; gives whether it was. Use it inside `alive(run_id)`."""
        with _opened(self._path) as file:
            if not _try_lock(file, LOCK_EX):
                yield False
                return
            with _signed(file, run_id):
                yield True

    def holder(self) -> str | None:
        """Return the run that holds `build.lock`, if any.

        Asks by the run's own file, so that looking never gets in the way of one who tries.
        """
        try:
            run_id = self._path.read_text()
        except FileNotFoundError:
            return None
        return run_id if run_id and self.is_alive(run_id) else None

    @contextmanager
    def alive(self, run_id: str) -> Iterator[None]:
        """Show that the run is being executed. Several processes of one run may show it at once."""
        with suppress(FileNotFoundError):  # another run that starts is forgetting them too
            self._forget_old_runs()
        with _opened(self._run_path(run_id)) as file:
            flock(file, LOCK_SH)
            yield

    def is_alive(self, run_id: str) -> bool | None:
        """Whether a process executes the run: False once it is gone, None if there is no trace.

        Two who ask in the same microsecond may both be told True of a dead run; ask again later.
        """
        try:
            return _is_locked(self._run_path(run_id))
        except FileNotFoundError:
            return None

    def _run_path(self, run_id: str) -> Path:
        return self._runs / f"{run_id}.lock"

    def _forget_old_runs(self) -> None:
        files = sorted(self._runs.glob("*.lock"), key=lambda path: path.stat().st_mtime)
        for path in files[:-KEPT_RUN_FILES]:
            if not _is_locked(path):
                path.unlink()


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Open a lock file, made where needed; unlock and close it at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        yield file
    finally:
        flock(file, LOCK_UN)
        os.close(file)


@contextmanager
def _signed(file: int, run_id: str) -> Iterator[None]:
    """Keep the holder's name in the file while it is held."""
    os.ftruncate(file, 0)
    os.pwrite(file, run_id.encode(), 0)
    try:
        yield
    finally:
        os.ftruncate(file, 0)


def _try_lock(file: int, kind: int) -> bool:
    try:
        flock(file, kind | LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_locked(path: Path) -> bool:
    """Raises `FileNotFoundError`. Reading is enough to ask, so that a read-only mount will do."""
    with path.open("rb") as file:
        return not _try_lock(file.fileno(), LOCK_EX)
