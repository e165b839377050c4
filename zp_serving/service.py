"""What the application holds while it runs, and how that is put together from the settings.

Heavy libraries (LanceDB, onnxruntime) are imported when the first generation is opened.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from pydantic import SecretStr

from zp_pipeline.shared.generation.manifest import ArtifactRecord
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.active_generation import ActiveGeneration
from zp_serving.security import Identities
from zp_serving.served_generation import Encoder, GenerationOpener, Index
from zp_serving.settings import ServingSettings
from zp_serving.user_groups import UserGroups

Clock = Callable[[], datetime]
IndexOpener = Callable[[Path, ArtifactRecord], Index]

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Service:
    """The state that routes work with."""

    search_key: SecretStr
    identities: Identities
    active: ActiveGeneration
    clock: Clock


def utc_now() -> datetime:
    """Return the time now."""
    return datetime.now(UTC)


def build_service(
    settings: ServingSettings,
    *,
    encoder: Encoder | None = None,
    open_index: IndexOpener | None = None,
    clock: Clock = utc_now,
) -> Service:
    """Return a service that has opened nothing yet. Raises `SettingsError`."""
    store = GenerationStore(settings.home / "store")
    opener = build_opener(settings, store, encoder, open_index)
    return Service(
        search_key=settings.service_key,
        identities=_identities(settings),
        active=ActiveGeneration(store, opener.open, clock),
        clock=clock,
    )


def build_opener(
    settings: ServingSettings,
    store: GenerationStore,
    encoder: Encoder | None = None,
    open_index: IndexOpener | None = None,
) -> GenerationOpener:
    """Return what opens generations of `store`, with the assets of the settings' home."""

    def load_encoder() -> Encoder:
        return encoder or load_query_encoder(settings.home / "assets")

    return GenerationOpener(
        store, load_encoder, open_index or open_search_index, settings.source_url_template
    )


def load_query_encoder(assets: Path) -> Encoder:
    """Return the encoder of the model in `assets`. Raises `ModelAssetsError`."""
    from zp_pipeline.shared.embedding.query_encoder import QueryEncoder

    return QueryEncoder(assets)


def open_search_index(directory: Path, record: ArtifactRecord) -> Index:
    """Return the index of an artifact. Raises `ArtifactDamaged` when it is not the recorded one."""
    from zp_pipeline.shared.schema.index import IndexFacts
    from zp_pipeline.shared.search.open_index import OpenIndex

    return OpenIndex.open(directory, IndexFacts(**record.facts))


def _identities(settings: ServingSettings) -> Identities:
    path = settings.user_groups_file
    if path is not None and settings.openwebui_jwt_secret is None:
        _log.warning(
            "user_groups_unused", detail="only signed users are in it: set OPENWEBUI_JWT_SECRET"
        )
    return Identities(settings.openwebui_jwt_secret, UserGroups(path) if path else None)
