"""Who may see a page: the one reading of `published`, `allowed_groups`, `valid_from`, `valid_to`.

Belongs here: turning front matter into the columns of `zp_pipeline.shared.schema.rights`. What is
there and cannot be told closes the page; only what is absent leaves it open.
"""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from zp_pipeline.documents.dates import instants
from zp_pipeline.documents.front_matter import FrontMatter
from zp_pipeline.documents.keys import LIMIT_KEYS, canonical_key
from zp_pipeline.documents.yaml_text import Value
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US, GROUP_NAME

TRUE = frozenset({"true", "yes", "on", "1", "y"})
FALSE = frozenset({"false", "no", "off", "0", "n"})
NOTHING = frozenset({"", "~", "null"})


@dataclass(frozen=True, slots=True)
class Rights:
    """Columns of a document; the interval is half-open, in UTC microseconds."""

    published: bool = True
    open: bool = True
    allowed_groups: tuple[str, ...] = ()
    valid_from_us: int = ALWAYS_FROM_US
    valid_to_us: int = ALWAYS_TO_US


def read_rights(front: FrontMatter, zone: ZoneInfo) -> Rights:
    """Read the rights of a page; what it warns of is added to `front`."""
    published = _published(front)
    groups = _groups(front)
    valid_from = _instant(front, "valid_from", zone, end=0, default=ALWAYS_FROM_US)
    valid_to = _instant(front, "valid_to", zone, end=1, default=ALWAYS_TO_US)
    misplaced = _warn_of_misplaced(front)
    if valid_from is None or valid_to is None or misplaced:
        return Rights(published, open=False)
    if valid_from >= valid_to:
        front.warn(front.line("valid_to"), "validity_empty", "the page is valid at no time")
    return Rights(published, groups is None, groups or (), valid_from, valid_to)


def _published(front: FrontMatter) -> bool:
    line = front.line("published")
    if "published" in front.unreadable:
        front.warn(line, "published_unreadable", "unclear `published`: the page is not published")
        return False
    if "published" not in front.values:
        return True
    value = front.values["published"]
    word = value.strip().casefold() if isinstance(value, str) else None
    if word in NOTHING:
        front.warn(line, "published_empty", "`published` without a value counts as published")
    elif word not in TRUE | FALSE:
        front.warn(line, "published_unreadable", "`published` is neither true nor false: it is not")
    return word in TRUE | NOTHING


def _groups(front: FrontMatter) -> tuple[str, ...] | None:
    """Return the groups, in the order of the page; None when it is open to everyone."""
    if "allowed_groups" in front.unreadable:
        return _nobody(front, "cannot be read")
    if "allowed_groups" not in front.values:
        return None
    value = front.values["allowed_groups"]
    if not isinstance(value, list):
        return _nobody(front, "is no list such as [staff, phd]")
    names = [name for name in value if _is_group(name)]
    for number, name in enumerate(value):
        if not _is_group(name):
            message = f"dropped, no group name of {GROUP_NAME.pattern}: {name}"
            front.warn(front.line("allowed_groups", str(number)), "group_name", message)
    if not names:
        return _nobody(front, "names no group")
    return tuple(dict.fromkeys(map(str, names)))


def _is_group(name: Value) -> bool:
    return isinstance(name, str) and GROUP_NAME.fullmatch(name) is not None


def _nobody(front: FrontMatter, why: str) -> tuple[str, ...]:
    message = f"`allowed_groups` {why}: nobody may see the page"
    front.warn(front.line("allowed_groups"), "allowed_groups_unreadable", message)
    return ()


def _instant(front: FrontMatter, key: str, zone: ZoneInfo, *, end: int, default: int) -> int | None:
    """Return one end of the validity, `default` where none is stated, None if it is unclear."""
    value = front.values.get(key)
    if value is None and key not in front.unreadable:
        return default
    read = instants(value, zone) if isinstance(value, str) else None
    if read is None or key in front.unreadable:
        message = f"`{key}` is no date: nobody may see the page"
        front.warn(front.line(key), "validity_unreadable", message)
        return None
    return read[end]


def _warn_of_misplaced(front: FrontMatter) -> bool:
    """Tell whether rights stand inside of another key, where they were hardly meant to be."""
    paths = [
        path for path in front.lines if len(path) > 1 and canonical_key(path[-1]) in LIMIT_KEYS
    ]
    for path in paths:
        message = f"`{'.'.join(path)}` belongs to the left margin: nobody may see the page"
        front.warn(front.line(*path), "rights_misplaced", message)
    return bool(paths)
