"""One ZP_HOME with its settings: the places and the long-lived objects that a build works with."""

from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from zp_pipeline.caching.page_cache import PageCache
from zp_pipeline.chunking import ChunkingSettings
from zp_pipeline.embedding.cache import EmbeddingCache
from zp_pipeline.embedding.passages import PassageEncoder
from zp_pipeline.settings import PipelineSettings
from zp_pipeline.shared.build_lock import BuildLock
from zp_pipeline.shared.embedding.model_manifest import REMEDY, AssetsManifest, load_manifest
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder
from zp_pipeline.shared.errors import ModelAssetsError
from zp_pipeline.shared.generation.digests import digest_of
from zp_pipeline.shared.generation.store import GenerationStore
from zp_pipeline.shared.sync.repository import RequestTable
from zp_pipeline.shared.sync.tables import database_url
from zp_pipeline.wiki.git import SshAccess
from zp_pipeline.wiki.mirror import Mirror

DEMO_WIKI_ENTRY_POINT = "demo"


class Workspace:
    """The folders below ZP_HOME and what is opened in them, each once and when first needed."""

    def __init__(self, settings: PipelineSettings) -> None:
        """Use the home that `settings` name; nothing is made yet."""
        self.settings = settings
        self.home = settings.home
        self.store = GenerationStore(self.home / "store")
        self.assets = self.home / "assets"
        self.dagster_home = self.home / "dagster"

    @property
    def wiki_url(self) -> str:
        """The configured wiki, else the demo wiki of this home, written when first asked for."""
        if self.settings.wiki_url:
            return self.settings.wiki_url
        directory = self.home / "wiki" / "demo"
        if not directory.exists():
            (entry,) = entry_points(group="zp.wikis", name=DEMO_WIKI_ENTRY_POINT)
            entry.load()(directory)
        return str(directory)

    @cached_property
    def mirror(self) -> Mirror:
        """Our own copy of the wiki's repository."""
        ssh = SshAccess(key=self.settings.ssh_key, known_hosts=self.settings.known_hosts)
        return Mirror(self.home / "wiki", self.wiki_url, self.settings.wiki_branch, ssh)

    @cached_property
    def requests(self) -> RequestTable:
        """The request table."""
        return RequestTable(database_url(self.home, self.settings.sync_db_url))

    @cached_property
    def lock(self) -> BuildLock:
        """The lock under which everything in this home is written."""
        return BuildLock(self.home)

    @cached_property
    def model(self) -> AssetsManifest:
        """What is known of the embedding model in `assets`. Raises `ModelAssetsError`."""
        manifest = load_manifest(self.assets)
        wanted = (self.settings.embedding_model, self.settings.embedding_revision)
        if (manifest.model, manifest.revision) != wanted:
            raise ModelAssetsError(
                f"the assets hold {manifest.model}@{manifest.revision},"
                f" the settings name {'@'.join(wanted)}: {REMEDY}"
            )
        return manifest

    @cached_property
    def passage_encoder(self) -> PassageEncoder:
        """The encoder of passages, loaded when it first has something to encode."""
        return PassageEncoder(self.assets, self.settings.embedding_batch_size)

    @cached_property
    def query_encoder(self) -> QueryEncoder:
        """The encoder of questions, which the gate asks with as the service does."""
        return QueryEncoder(self.assets)

    @cached_property
    def chunking(self) -> ChunkingSettings:
        """The settings of the chunker."""
        return ChunkingSettings(
            max_tokens=self.settings.chunk_max_tokens,
            overlap_tokens=self.settings.chunk_overlap_tokens,
            min_tokens=self.settings.chunk_min_tokens,
            encoding=self.settings.chunk_token_encoding,
        )

    @cached_property
    def embedding_cache(self) -> EmbeddingCache:
        """Vectors computed before, by exact input and model."""
        return EmbeddingCache(self.home / "cache" / "embeddings.sqlite", self.model.fingerprint)

    def page_cache(self, step: str, code_version: str, settings: dict[str, Any]) -> PageCache:
        """Return the cache of a step's work per page."""
        return PageCache(self.home / "cache" / "pages.sqlite", step, code_version, settings)

    @cached_property
    def settings_fingerprint(self) -> str:
        """Digest over every setting that the content of a generation hangs on."""
        return digest_of(self.content_settings)

    @property
    def content_settings(self) -> dict[str, Any]:
        """Every setting that the content of a generation hangs on."""
        return {
            "max_file_bytes": self.settings.max_file_bytes,
            "timezone": self.settings.timezone,
            "chunking": {
                "max_tokens": self.chunking.max_tokens,
                "overlap_tokens": self.chunking.overlap_tokens,
                "min_tokens": self.chunking.min_tokens,
                "encoding": self.chunking.encoding,
            },
            "model_fingerprint": self.model.fingerprint,
        }


def open_workspace(**overrides: Any) -> Workspace:
    """Return the workspace that environment and `.env` describe. Raises `SettingsError`."""
    return Workspace(PipelineSettings.load(**overrides))


def accepted_shrink_path(home: Path, commit: str) -> Path:
    """Return the marker by which a shrunken wiki was accepted for one commit."""
    return home / "store" / "accepted-shrinks" / commit
