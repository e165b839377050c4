"""The file `ZP_USER_GROUPS_FILE`: groups of signed users by e-mail, for where no header names them.

The file is the operator's; it is read again when it changes, and grants nothing while it is broken.
"""

from pathlib import Path
from threading import Lock

import structlog
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from zp_pipeline.shared.errors import SettingsError
from zp_pipeline.shared.schema.rights import GROUP_NAME

SETTING = "ZP_USER_GROUPS_FILE"
_log = structlog.get_logger()


class UserGroups:
    """Groups by e-mail address, in whatever case; safe to ask from many threads."""

    def __init__(self, path: Path) -> None:
        """Read `path`. Raises `SettingsError` when it cannot be read as a table of groups."""
        self._path = path
        self._lock = Lock()
        self._stamp = _stamp(path)
        self._groups = read_groups(path)

    def groups_of(self, email: str) -> frozenset[str]:
        """Return the groups of a user; none when the user is not listed or the file is broken."""
        with self._lock:
            if (stamp := _stamp(self._path)) != self._stamp:
                self._stamp, self._groups = stamp, self._read_again()
            return self._groups.get(_key(email), frozenset())

    def _read_again(self) -> dict[str, frozenset[str]]:
        try:
            return read_groups(self._path)
        except SettingsError as error:
            _log.error("user_groups_unreadable", detail=str(error))
            return {}


def read_groups(path: Path) -> dict[str, frozenset[str]]:
    """Return groups by e-mail from a YAML file. Raises `SettingsError`, quoting nothing."""
    try:
        table = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, YAMLError):
        raise SettingsError(f"{SETTING}: the file cannot be read as YAML") from None
    if table is None:
        return {}
    if not isinstance(table, dict):
        raise SettingsError(f"{SETTING}: the file must map e-mail addresses to groups")
    return {_key(email): clean_groups(_names(value)) for email, value in table.items()}


def clean_groups(names: list[str]) -> frozenset[str]:
    """Return the names that can be a group's; the others are dropped."""
    stripped = (name.strip() for name in names)
    return frozenset(name for name in stripped if GROUP_NAME.fullmatch(name))


def _names(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split(",")
    return [str(name) for name in value] if isinstance(value, list) else []


def _key(email: object) -> str:
    return str(email).strip().casefold()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino
