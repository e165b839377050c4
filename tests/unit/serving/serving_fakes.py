"""Fakes for the tests of the service: an encoder, an index, and generations in a real store."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.generation.artifacts import Recipe, Written
from zp_pipeline.shared.generation.manifest import ArtifactRecord, GenerationManifest, ModelRecord
from zp_pipeline.shared.generation.pointer import Pointer, Publication
from zp_pipeline.shared.generation.store import GenerationStore
from zp_pipeline.shared.search.models import Hit, SearchOutcome, SearchRequest
from zp_serving.settings import ServingSettings

NOW = datetime(2026, 12, 1, 15, 30, tzinfo=UTC)
FINGERPRINT = "f" * 64
SEARCH_KEY = "search-key-" + "s" * 32
SYNC_KEY = "sync-key-" + "y" * 32
TOKEN_SECRET = "token-secret-" + "t" * 32
AUTHORISED = {"X-API-Key": SEARCH_KEY}


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class FakeEncoder:
    """Gives every question the same vector."""

    def __init__(self, fingerprint: str = FINGERPRINT) -> None:
        self.fingerprint = fingerprint
        self.warmed = False

    def encode(self, query: str) -> NDArray[np.float32]:
        return np.zeros(384, np.float32)

    def warm_up(self) -> None:
        self.warmed = True


class FakeIndex:
    """Answers every request with the same hits, and fails once closed."""

    def __init__(self, *hits: Hit, truncation: tuple[str, ...] = ()) -> None:
        self.outcome = SearchOutcome(hits, "all_terms" if hits else None, truncation, {})
        self.requests: list[SearchRequest] = []
        self.closed = False

    def search(self, request: SearchRequest, query_vector: NDArray[np.float32]) -> SearchOutcome:
        if self.closed:
            raise RuntimeError("the index is closed")
        self.requests.append(request)
        return self.outcome

    def close(self) -> None:
        self.closed = True


class FakeIndexes:
    """Opens a fake index per artifact and remembers it by the artifact's digest."""

    def __init__(self, make: Callable[[], FakeIndex] = FakeIndex) -> None:
        self._make = make
        self.opened: list[FakeIndex] = []

    def __call__(self, directory: Path, record: ArtifactRecord) -> FakeIndex:
        self.opened.append(self._make())
        return self.opened[-1]


def make_hit(rank: int = 1, **changes: Any) -> Hit:
    """Return a hit on a page about Fairseq."""
    fields: dict[str, Any] = {
        "rank": rank,
        "row": rank,
        "chunk_id": f"chunk-{rank}",
        "path": "pages/strojový preklad.md",
        "ordinal": 0,
        "title": "Strojový preklad",
        "authors": ("Ján Holp",),
        "tags": (),
        "heading_path": ("Úvod",),
        "text": "Neurónový strojový preklad pomocou Fairseq.",
        "char_start": 0,
        "own_start": 0,
        "char_end": 43,
        "first_line": 3,
        "last_line": 5,
        "blob": "b" * 40,
        "content_hash": "c" * 64,
        "matched_by": ("all_terms", "vector"),
    }
    return Hit(**(fields | changes))


def write_generation(store: GenerationStore, name: str, **changes: Any) -> GenerationManifest:
    """Write a generation whose index is one small file, without publishing it."""
    artifact = store.artifacts.produce(Recipe("search_index", name), _write_index)
    commit = hashlib.sha1(name.encode()).hexdigest()
    fields: dict[str, Any] = {
        "id": f"{commit[:12]}.{artifact.record.digest[:8]}",
        "commit": commit,
        "branch": "master",
        "committed_at": NOW - timedelta(hours=2),
        "built_at": NOW - timedelta(hours=1),
        "settings_fingerprint": "0" * 64,
        "artifacts": {"search_index": artifact.record},
        "model": ModelRecord(name="e5", revision="r1", source="hub", fingerprint=FINGERPRINT),
        "lance_version": "0.40.0",
        "gate": [],
    }
    return store.save_manifest(GenerationManifest(**(fields | changes)))


def publish(store: GenerationStore, manifest: GenerationManifest) -> None:
    """Point the store at a generation."""
    current = Publication(id=manifest.id, commit=manifest.commit, published_at=NOW)
    store.move_pointer(Pointer(current=current))


def publish_new(store: GenerationStore, name: str, **changes: Any) -> GenerationManifest:
    """Write a generation and point the store at it."""
    manifest = write_generation(store, name, **changes)
    publish(store, manifest)
    return manifest


def index_file(store: GenerationStore, manifest: GenerationManifest) -> Path:
    """Return the one file of a generation's index."""
    record = manifest.artifacts["search_index"]
    return store.artifacts.directory(record.kind, record.digest) / "data.bin"


def make_settings(home: Path, **changes: Any) -> ServingSettings:
    """Return settings with keys; `changes` go by the names in the environment."""
    fields = {"ZP_HOME": home, "SEARCH_API_KEY": SEARCH_KEY, "SYNC_API_KEY": SYNC_KEY}
    return ServingSettings(_env_file=None, **(fields | changes))


def _write_index(directory: Path) -> Written:
    (directory / "data.bin").write_bytes(b"postings")
    return Written(rows={"chunks": 1})
