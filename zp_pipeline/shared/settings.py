"""Base of the settings classes, one of which each package has. Names and defaults: INTERFACE.

The environment wins over `.env`. An unknown `ZP_*` name is an error, since a typo in a setting
must not pass as a default.
"""

import os
from pathlib import Path
from typing import Any, Self

from dotenv import dotenv_values
from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from zp_pipeline.shared.errors import SettingsError

ENV_FILE = ".env"

# Every ZP_* name of the product: the packages share one environment and each reads its own part.
KNOWN_ZP_NAMES = frozenset(
    {
        "ZP_HOME",
        "ZP_WIKI_URL",
        "ZP_WIKI_BRANCH",
        "ZP_SOURCE_URL_TEMPLATE",
        "ZP_API_HOST",
        "ZP_API_PORT",
        "ZP_DAGSTER_PORT",
        "ZP_SYNC_DB_URL",
        "ZP_CORS_ORIGINS",
        "ZP_DOCS_ENABLED",
        "ZP_KEEP_GENERATIONS",
        "ZP_MAX_FILE_BYTES",
        "ZP_TIMEZONE",
        "ZP_USER_GROUPS_FILE",
        "ZP_SHRINK_LIMIT",
        "ZP_RATE_LIMIT_PERSON",
        "ZP_RATE_LIMIT_KEY",
    }
)


class CommonSettings(BaseSettings):
    """What both packages read."""

    # Only the aliases are read: by its name, the field `home` would take the variable HOME.
    model_config = SettingsConfigDict(env_file=ENV_FILE, extra="ignore", env_ignore_empty=True)

    home: Path = Field(default=Path("var"), validation_alias="ZP_HOME")
    timezone: str = Field(default="Europe/Bratislava", validation_alias="ZP_TIMEZONE")
    sync_db_url: str | None = Field(default=None, validation_alias="ZP_SYNC_DB_URL")

    @classmethod
    def load(cls, **overrides: Any) -> Self:
        """Read environment and `.env`; `overrides` go by the names of the settings.

        Raises `SettingsError` naming every setting at fault.
        """
        refuse_unknown_names()
        try:
            settings = cls(**overrides)
        except ValidationError as error:
            raise SettingsError("; ".join(sorted(map(fault, error.errors())))) from None
        settings.home = settings.home.expanduser().resolve()
        return settings


def fault(part: ErrorDetails) -> str:
    """Say what is wrong with a setting; only our own validators' messages are free of values."""
    name = f"malformed setting: {part['loc'][0]}" if part["loc"] else "settings do not fit"
    return f"{name}: {part['msg']}" if part["type"] == "value_error" else name


def refuse_unknown_names() -> None:
    """Raise `SettingsError` for any `ZP_*` name, in the environment or `.env`, that is not ours."""
    names = {name.upper() for name in (*os.environ, *dotenv_values(ENV_FILE))}
    unknown = sorted(
        name for name in names if name.startswith("ZP_") and name not in KNOWN_ZP_NAMES
    )
    if unknown:
        raise SettingsError(f"unknown setting: {', '.join(unknown)}")
