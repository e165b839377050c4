"""Names of the front matter keys that mean something to us, and where they are mentioned.

Belongs here: names and the patterns that find them. What their values mean: `rights`, `metadata`.
"""

import re

LIMIT_KEYS = ("allowed_groups", "valid_from", "valid_to")
RIGHTS_KEYS = ("published", *LIMIT_KEYS)
AUTHOR_KEYS = ("author", "authors")
TAG_KEYS = ("tag", "tags")
CATEGORY_KEYS = ("category", "categories")
TEXT_KEYS = ("title", "taxonomy", *AUTHOR_KEYS, *TAG_KEYS, *CATEGORY_KEYS, "allowed_groups")
KNOWN_KEYS = frozenset({*RIGHTS_KEYS, *TEXT_KEYS, "date", "visible"})

ZERO_WIDTH = re.compile("[\u200b-\u200d\u2060\ufeff]")

_NAMES = "allowed[_ -]?groups|valid[_ -]?from|valid[_ -]?to"
_SEPARATORS = re.compile("[_ -]")
_WRITTEN_TOGETHER = {_SEPARATORS.sub("", key): key for key in KNOWN_KEYS}
# A rights key anywhere in text that could not be read.
RIGHTS_MENTION = re.compile(rf"\b({_NAMES}|published)\b[\"']?\s*:", re.IGNORECASE)
# A rights line in text that may as well be prose, where `published: 2019` would be innocent.
RIGHTS_LINE = re.compile(
    rf"^[ \t]*(?:({_NAMES})\s*:|(published)\s*:\s*[\"']?(?:false|no|off|0)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def canonical_key(key: str) -> str:
    """Return the name we know `key` by, `allowed_groups` for `Allowed-Groups`; else `key`."""
    return _WRITTEN_TOGETHER.get(_SEPARATORS.sub("", ZERO_WIDTH.sub("", key)).casefold(), key)


def mentioned(pattern: re.Pattern[str], text: str) -> set[str]:
    """Return the rights keys that `pattern`, one of the two above, finds in `text`."""
    found = (match[match.lastindex or 0] for match in pattern.finditer(text))
    return {canonical_key(name) for name in found}
