"""Where a wiki's repository is: a local folder or a URL, with or without credentials in it."""

import re
from dataclasses import dataclass
from pathlib import Path

from zp_pipeline.shared.errors import WikiError

CREDENTIALS = re.compile(r"(?<=://)[^/@\s'\"]+@")
QUERY = re.compile(r"(?<=://)([^\s'\"?]+)\?[^\s'\"]*")
REMOTE = re.compile(r"[a-z][a-z0-9+.-]*://|[^/\\]+:", re.IGNORECASE)  # the latter as in scp


def without_credentials(text: str) -> str:
    """Return `text` with the URLs in it cut to what may be seen by anyone."""
    return QUERY.sub(r"\1", CREDENTIALS.sub("", text))


@dataclass(frozen=True, slots=True)
class Location:
    """A repository: `secret_url` as configured, `url` as it may be shown and kept."""

    secret_url: str
    url: str
    folder: Path | None

    @classmethod
    def parse(cls, configured: str) -> "Location":
        """Read a setting. Raises `WikiError` when a local folder is named that is not there."""
        path = Path(configured.removeprefix("file://")).expanduser()
        if path.exists():
            real = path.resolve()
            return cls(str(real), str(real), real)
        if not REMOTE.match(configured) or configured.startswith("file://"):
            raise WikiError(f"there is no repository at {path}")
        return cls(configured, without_credentials(configured), None)
