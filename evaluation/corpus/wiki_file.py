"""One file of the wiki as git sees it. What is in it is decided elsewhere."""

from dataclasses import dataclass

REGULAR = "100644"
SYMLINK = "120000"
SUBMODULE = "160000"


@dataclass(frozen=True, slots=True)
class WikiFile:
    """Content and git mode; a symlink's content is its target, a submodule's the hex commit id."""

    content: bytes
    mode: str = REGULAR
