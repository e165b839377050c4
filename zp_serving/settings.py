"""Settings of the service. Names and defaults: INTERFACE.

Secrets are never part of a message: an error names the setting and not what it held.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import NoDecode

from zp_pipeline.shared.errors import SettingsError
from zp_pipeline.shared.settings import CommonSettings
from zp_serving.source_url import check_template

MIN_SECRET_CHARACTERS = 32
SECRETS = ("search_api_key", "sync_api_key", "webhook_secret", "openwebui_jwt_secret")


class ServingSettings(CommonSettings):
    """What answering reads. `zp search` needs no key; `zp serve` needs the search key."""

    api_host: str = Field(default="127.0.0.1", validation_alias="ZP_API_HOST")
    api_port: int = Field(default=8000, ge=0, le=65535, validation_alias="ZP_API_PORT")
    search_api_key: SecretStr | None = Field(default=None, validation_alias="SEARCH_API_KEY")
    sync_api_key: SecretStr | None = Field(default=None, validation_alias="SYNC_API_KEY")
    webhook_secret: SecretStr | None = Field(default=None, validation_alias="WEBHOOK_SECRET")
    openwebui_jwt_secret: SecretStr | None = Field(
        default=None, validation_alias="OPENWEBUI_JWT_SECRET"
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), validation_alias="ZP_CORS_ORIGINS"
    )
    docs_enabled: bool = Field(default=False, validation_alias="ZP_DOCS_ENABLED")
    source_url_template: str = Field(default="", validation_alias="ZP_SOURCE_URL_TEMPLATE")
    user_groups_file: Path | None = Field(default=None, validation_alias="ZP_USER_GROUPS_FILE")

    @field_validator(*SECRETS)
    @classmethod
    def _long_and_distinct(cls, secret: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if secret is None:
            return None
        if len(secret.get_secret_value()) < MIN_SECRET_CHARACTERS:
            raise ValueError(f"needs at least {MIN_SECRET_CHARACTERS} characters")
        if any(info.data.get(name) == secret for name in SECRETS):
            raise ValueError("must differ from the other secrets")
        return secret

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split_origins(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(origin for part in value.split(",") if (origin := part.strip()))
        return value

    @field_validator("source_url_template")
    @classmethod
    def _known_template(cls, template: str) -> str:
        check_template(template)
        return template

    @property
    def service_key(self) -> SecretStr:
        """The key of `/search`. Raises `SettingsError` when it is not set."""
        if self.search_api_key is None:
            raise SettingsError("missing setting: SEARCH_API_KEY")
        return self.search_api_key
