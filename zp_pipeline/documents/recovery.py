"""What can still be read, key by key, in a block that is no YAML as a whole.

Each line that begins a key, with its indented lines, is read as YAML by itself; where that fails
too, what stands behind the colon is the value. A rights key begins its own piece however it is
indented, and one that is mentioned where nothing could be read is reported as unreadable.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from zp_pipeline.documents.keys import (
    KNOWN_KEYS,
    RIGHTS_KEYS,
    RIGHTS_MENTION,
    canonical_key,
    mentioned,
)
from zp_pipeline.documents.yaml_text import Reading, Value, YamlUnreadable, read_yaml

# The bounds keep long lines of spaces or dashes from taking quadratic time.
KEY_START = re.compile(
    r"(?P<indent>[ \t\-]{0,99})[\"']?(?P<key>\w[\w.\- ]{0,99}?)[\"']?[ \t]{0,99}:(?P<rest>.*)"
)
ITEM = re.compile(r"[ \t]*-[ \t]+(.*\S)")
IGNORED_LINE = re.compile(r"\s*(#.*)?")


@dataclass(slots=True)
class _Piece:
    """The lines of one key; a piece without a key holds what stands before the first one."""

    key: str | None
    line: int
    rest: str = ""
    following: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return everything in the piece but its key and comment lines."""
        kept = (line for line in self.following if not IGNORED_LINE.fullmatch(line))
        return "\n".join([self.rest, *kept])


@dataclass(slots=True)
class Recovery:
    """What was recovered; `unreadable` are rights keys without a value, `lost_lines` other ones."""

    reading: Reading = field(default_factory=lambda: Reading(value={}))
    unreadable: set[str] = field(default_factory=set)
    lost_lines: list[int] = field(default_factory=list)


def recover(block: str) -> Recovery:
    """Return what can be read in `block`; its values are a mapping, maybe an empty one."""
    found = Recovery()
    for piece in _pieces(block):
        value = _read_piece(piece, found.reading)
        if value is None:
            found.unreadable |= mentioned(RIGHTS_MENTION, piece.text())
            value = _as_written(piece)
        if value is not None and piece.key is not None:
            _keep(found.reading, piece.key, piece.line, value)
        elif piece.key in RIGHTS_KEYS:
            found.unreadable.add(piece.key)
        elif piece.text().strip():
            found.lost_lines.append(piece.line)
    return found


def _pieces(block: str) -> Iterator[_Piece]:
    piece = _Piece(None, 1)
    for number, line in enumerate(block.split("\n"), 1):
        start = KEY_START.fullmatch(line)
        key = canonical_key(start["key"]) if start else ""
        if start and (not start["indent"] or key in RIGHTS_KEYS):
            yield piece
            piece = _Piece(key, number, start["rest"])
        else:
            piece.following.append(line)
    yield piece


def _read_piece(piece: _Piece, reading: Reading) -> Value | None:
    """Return the value that YAML reads in a piece; None where it cannot, or nobody needs it to."""
    if piece.key not in KNOWN_KEYS:
        return None
    try:
        alone = read_yaml("\n".join([f"key: {piece.rest}", *piece.following]))
    except YamlUnreadable:
        return None
    if not isinstance(alone.value, dict) or set(alone.value) != {"key"}:
        return None
    _adopt(reading, alone, piece)
    return alone.value["key"]


def _adopt(reading: Reading, alone: Reading, piece: _Piece) -> None:
    """Add what was noted inside of a piece, under the piece's key and at its place in the block."""
    assert piece.key is not None
    key, above = piece.key, piece.line - 1
    for path, line in alone.lines.items():
        if len(path) > 1:
            reading.lines.setdefault((key, *path[1:]), above + line)
    reading.duplicates += [((key, *p[1:]), above + n, same) for p, n, same in alone.duplicates]
    reading.traps += [((key, *path[1:]), above + line, text) for path, line, text in alone.traps]


def _as_written(piece: _Piece) -> Value | None:
    """Return the text behind the colon, or the items of a list, when there is nothing else."""
    if piece.key is None or piece.key in RIGHTS_KEYS:  # half a right is none
        return None
    if piece.rest.strip():
        return " ".join(piece.text().split()).strip("\"'")
    following = piece.text().split("\n")[1:]
    items = [match[1].strip("\"'") for line in following if (match := ITEM.fullmatch(line))]
    return list(items) if following and len(items) == len(following) else None


def _keep(reading: Reading, key: str, line: int, value: Value) -> None:
    assert isinstance(reading.value, dict)
    if key in reading.value:
        reading.duplicates.append(((key,), line, value == reading.value[key]))
    reading.value.setdefault(key, value)
    reading.lines.setdefault((key,), line)
