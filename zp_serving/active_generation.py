"""The one generation that is served: watched for, swapped whole, closed when nobody reads it.

A request takes one lease and answers from that generation alone. The next generation is opened
beside the served one; when it cannot be, the served one stays and the reason is kept for `/health`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Lock, Thread

import structlog

from zp_pipeline.shared.errors import ZpError
from zp_pipeline.shared.generation.pointer import Publication
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.errors import InternalError, RetrievalUnavailable
from zp_serving.served_generation import ServedGeneration

# A stat costs microseconds; half of the two seconds allowed is left for opening.
POLL_SECONDS = 0.25
# What was wrong may be put right without a new publication, such as missing model assets.
RETRY_AFTER = timedelta(seconds=30)

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Refused:
    """A publication that could not be opened; `reason` is that of the error."""

    publication_id: str | None
    reason: str
    at: datetime


class _Holding:
    """A generation with the number of requests that read it."""

    def __init__(self, generation: ServedGeneration) -> None:
        self.generation = generation
        self.leases = 0
        self.retired = False

    @property
    def is_drained(self) -> bool:
        return self.retired and self.leases == 0


class ActiveGeneration:
    """Holds the served generation; leases are safe from many threads, `refresh` is for one."""

    def __init__(
        self,
        store: GenerationStore,
        open_generation: Callable[[Publication], ServedGeneration],
        clock: Callable[[], datetime],
    ) -> None:
        """Serve nothing until the first `refresh`."""
        self._store = store
        self._open = open_generation
        self._clock = clock
        self._lock = Lock()
        self._holding: _Holding | None = None
        self._seen: tuple[int, int, int] | None = None
        self.refused: Refused | None = None
        self.is_starting = True

    @property
    def generation(self) -> ServedGeneration | None:
        """The served generation, to be described; to read it, take a lease."""
        holding = self._holding
        return holding.generation if holding else None

    @contextmanager
    def lease(self) -> Iterator[ServedGeneration]:
        """Keep the served generation open for the block. Raises `RetrievalUnavailable`."""
        with self._lock:
            if (holding := self._holding) is None:
                raise RetrievalUnavailable
            holding.leases += 1
        try:
            yield holding.generation
        finally:
            self._release(holding)

    def refresh(self) -> None:
        """Serve what the pointer names, if that changed or could not be opened some time ago."""
        stamp = self._pointer_stamp()
        if stamp == self._seen and not (self.is_starting or self._may_retry()):
            return
        self._seen = stamp
        publication: Publication | None = None
        try:
            publication = self._published()
            self._serve(publication)
        # The served generation outlives whatever is wrong with the next, foreseen or not.
        except Exception as error:  # noqa: BLE001
            self._refuse(publication, error)
        else:
            self.refused = None
        self.is_starting = False

    def close(self) -> None:
        """Stop serving; the generation is closed when the last lease ends."""
        self._swap(None)

    def _published(self) -> Publication | None:
        pointer = self._store.pointer()
        return pointer.current if pointer else None

    def _serve(self, publication: Publication | None) -> None:
        served = self.generation
        if publication is None or (served and self._is_as_served(served, publication)):
            return
        self._swap(_Holding(self._open(publication)))
        _log.info("generation_served", generation=publication.id)

    def _is_as_served(self, served: ServedGeneration, publication: Publication) -> bool:
        """Tell a generation from its repaired self, whose index is made of other files."""
        if served.manifest.id != publication.id:
            return False
        return self._store.manifest(publication.id) == served.manifest

    def _swap(self, new: _Holding | None) -> None:
        with self._lock:
            old, self._holding = self._holding, new
            if old is not None:
                old.retired = True
                drained = old.is_drained
        if old is not None and drained:
            old.generation.index.close()

    def _release(self, holding: _Holding) -> None:
        with self._lock:
            holding.leases -= 1
            drained = holding.is_drained
        if drained:
            holding.generation.index.close()

    def _refuse(self, publication: Publication | None, error: Exception) -> None:
        known = isinstance(error, ZpError)
        reason = error.reason if isinstance(error, ZpError) else InternalError.reason
        id = publication.id if publication else None
        self.refused = Refused(id, reason, self._clock())
        detail = str(error) if known else type(error).__name__
        _log.error("generation_refused", generation=id, reason=reason, detail=detail)

    def _may_retry(self) -> bool:
        return self.refused is not None and self._clock() - self.refused.at >= RETRY_AFTER

    def _pointer_stamp(self) -> tuple[int, int, int] | None:
        """Return what tells one pointer file from the next; each is a new file."""
        try:
            status = self._store.pointer_path.stat()
        except OSError:  # absent, or reading it says what is wrong
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size


class PointerWatch:
    """A thread that refreshes an `ActiveGeneration` until it is stopped."""

    def __init__(self, active: ActiveGeneration, poll_seconds: float = POLL_SECONDS) -> None:
        """Look every `poll_seconds`."""
        self._active = active
        self._poll_seconds = poll_seconds
        self._stop = Event()
        self._thread = Thread(target=self._run, name="pointer-watch", daemon=True)

    def start(self) -> None:
        """Open what is published now, without waiting for it, and watch for the next."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching, after an opening under way has ended."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._active.refresh()
            self._stop.wait(self._poll_seconds)
