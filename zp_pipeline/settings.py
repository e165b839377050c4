"""Settings of the pipeline. Names and defaults: INTERFACE."""

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from zp_pipeline.shared.settings import CommonSettings


class PipelineSettings(CommonSettings):
    """What building, publishing and running everything read."""

    wiki_url: str | None = Field(default=None, validation_alias="ZP_WIKI_URL")
    wiki_branch: str | None = Field(default=None, validation_alias="ZP_WIKI_BRANCH")
    ssh_key: Path | None = Field(default=None, validation_alias="ZPWIKI_SSH_KEY")
    known_hosts: Path | None = Field(default=None, validation_alias="ZPWIKI_KNOWN_HOSTS")
    max_file_bytes: int = Field(default=2 * 1024**2, ge=1, validation_alias="ZP_MAX_FILE_BYTES")
    keep_generations: int = Field(default=3, ge=1, validation_alias="ZP_KEEP_GENERATIONS")
    shrink_limit: float = Field(default=0.5, ge=0, le=1, validation_alias="ZP_SHRINK_LIMIT")
    api_host: str = Field(default="127.0.0.1", validation_alias="ZP_API_HOST")
    api_port: int = Field(default=8000, ge=1, le=65535, validation_alias="ZP_API_PORT")
    dagster_port: int = Field(default=3000, ge=1, le=65535, validation_alias="ZP_DAGSTER_PORT")

    chunk_max_tokens: int = Field(default=450, ge=16, validation_alias="CHUNK_MAX_TOKENS")
    chunk_overlap_tokens: int = Field(default=70, ge=0, validation_alias="CHUNK_OVERLAP_TOKENS")
    chunk_min_tokens: int = Field(default=80, ge=0, validation_alias="CHUNK_MIN_TOKENS")
    chunk_token_encoding: Literal["cl100k_base"] = Field(
        default="cl100k_base", validation_alias="CHUNK_TOKEN_ENCODING"
    )

    embedding_model: str = Field(
        default="intfloat/multilingual-e5-small", validation_alias="EMBEDDING_MODEL"
    )
    embedding_revision: str = Field(
        default="614241f622f53c4eeff9890bdc4f31cfecc418b3", validation_alias="EMBEDDING_REVISION"
    )
    embedding_batch_size: int = Field(default=32, ge=1, validation_alias="EMBEDDING_BATCH_SIZE")

    @model_validator(mode="after")
    def _overlap_leaves_room(self) -> Self:
        if self.chunk_overlap_tokens * 2 > self.chunk_max_tokens:
            raise ValueError("CHUNK_OVERLAP_TOKENS may be at most half of CHUNK_MAX_TOKENS")
        return self
