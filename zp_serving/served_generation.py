"""Opening a published generation for answering: verified first, then opened, then warmed.

Which generation that is, and when it is closed: `zp_serving.active_generation`.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.errors import ArtifactMismatch, ModelAssetsError
from zp_pipeline.shared.generation.artifacts import verify_files
from zp_pipeline.shared.generation.manifest import (
    MANIFEST_SCHEMA_VERSION,
    ArtifactRecord,
    GenerationManifest,
)
from zp_pipeline.shared.generation.pointer import Publication
from zp_pipeline.shared.generation.store import GenerationStore
from zp_pipeline.shared.search.models import Caller, SearchOutcome, SearchRequest
from zp_serving.source_url import SourceLinks

INDEX_KIND = "search_index"
# The second word is in no dictionary: without one the Czech dictionary would be read by the first
# question that has such a word, which kept eight clients waiting for 8 s on two loaded cores.
WARM_UP = SearchRequest("práca qxzw", 1, 1, Caller(frozenset(), published_only=True, now_us=0))


class Encoder(Protocol):
    """Turns a question into a vector of the model named by `fingerprint`."""

    @property
    def fingerprint(self) -> str:
        """Digest of weights, tokenizer and configuration."""

    def encode(self, query: str) -> NDArray[np.float32]:
        """Return the normalised vector of `query`."""

    def warm_up(self) -> None:
        """Pay now for what the first question would pay."""


class Index(Protocol):
    """An open search index; safe to search from many threads until it is closed."""

    def search(self, request: SearchRequest, query_vector: NDArray[np.float32]) -> SearchOutcome:
        """Return what the caller in `request` may see, from the best."""

    def close(self) -> None:
        """Let go of the files; no search may be under way."""


@dataclass(frozen=True, slots=True)
class ServedGeneration:
    """A generation that is ready to answer."""

    manifest: GenerationManifest
    published_at: datetime
    index: Index
    encoder: Encoder
    links: SourceLinks


class GenerationOpener:
    """Opens generations of one store, reusing the encoder while the model stays the same."""

    def __init__(
        self,
        store: GenerationStore,
        load_encoder: Callable[[], Encoder],
        open_index: Callable[[Path, ArtifactRecord], Index],
        source_url_template: str = "",
    ) -> None:
        """Nothing is read before the first `open`."""
        self._store = store
        self._load_encoder = load_encoder
        self._open_index = open_index
        self._template = source_url_template
        self._encoder: Encoder | None = None

    def open(self, publication: Publication) -> ServedGeneration:
        """Return the generation of `publication`, verified and warm.

        Raises `GenerationUnknown`, `ArtifactDamaged`, `ArtifactMismatch` or `ModelAssetsError`;
        then nothing stays open.
        """
        manifest = self._manifest(publication.id)
        record = manifest.artifacts[INDEX_KIND]
        # LanceDB's readers die with the path they were given, so links are resolved first.
        directory = self._store.artifacts.directory(record.kind, record.digest).resolve()
        verify_files(directory, record)
        encoder = self._encoder_of(manifest.model.fingerprint)
        links = SourceLinks(self._template, manifest.commit, manifest.branch)
        vector = encoder.encode(WARM_UP.query)
        with ExitStack() as opened:
            index = self._open_index(directory, record)
            opened.callback(index.close)
            index.search(WARM_UP, vector)
            opened.pop_all()
        return ServedGeneration(manifest, publication.published_at, index, encoder, links)

    def _manifest(self, id: str) -> GenerationManifest:
        manifest = self._store.manifest(id)
        if manifest.schema_version != MANIFEST_SCHEMA_VERSION or manifest.id != id:
            raise ArtifactMismatch(
                f"the manifest of {id} names {manifest.id}, schema {manifest.schema_version}"
            )
        return manifest

    def _encoder_of(self, fingerprint: str) -> Encoder:
        """Return an encoder of that model; the assets may have been replaced since the last one."""
        if self._encoder is None or self._encoder.fingerprint != fingerprint:
            encoder = self._load_encoder()
            if encoder.fingerprint != fingerprint:
                raise ModelAssetsError(
                    f"the generation was built with model {fingerprint[:12]}, "
                    f"the assets hold {encoder.fingerprint[:12]}"
                )
            encoder.warm_up()
            self._encoder = encoder
        return self._encoder
