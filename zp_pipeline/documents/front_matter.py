"""The front matter of a page, read whatever state it is in.

Belongs here: the order of the attempts (as it stands, with tabs repaired, key by key) and the
warnings about them. Where the block is: `block`; YAML itself: `yaml_text`; what keys mean: `rights`
and `metadata`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from zp_pipeline.documents.block import Block, find_block
from zp_pipeline.documents.keys import (
    KNOWN_KEYS,
    RIGHTS_KEYS,
    RIGHTS_LINE,
    RIGHTS_MENTION,
    TEXT_KEYS,
    ZERO_WIDTH,
    mentioned,
)
from zp_pipeline.documents.recovery import Recovery, recover
from zp_pipeline.documents.warning import PageWarning, first_found, line_at
from zp_pipeline.documents.yaml_text import (
    KeyPath,
    Reading,
    Value,
    YamlUnreadable,
    read_yaml,
)

# ruamel reads about 100 kB a second, and a block of the real wikis has less than 4 kB.
MAX_BLOCK_CHARS = 64 * 1024

ODD_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# What YAML refuses, and what it, unlike git and editors, counts as a line end.
CONTROL = re.compile("[^\t\n\x20-\x7e\u00a0-\u2027\u202a-\ufffd\U00010000-\U0010ffff]")
TABS = re.compile(r"^[ \t]*\t[ \t]*|(?<=[:\-])[ ]*\t[ \t]*", re.MULTILINE)


@dataclass(slots=True)
class FrontMatter:
    """Values by key, scalars as text; lines of keys, by their path, in the raw file.

    `unreadable` are rights keys that stand in the page and whose value nobody can tell.
    """

    values: dict[str, Value] = field(default_factory=dict)
    lines: dict[KeyPath, int] = field(default_factory=dict)
    unreadable: set[str] = field(default_factory=set)
    body_start: int = 0
    warnings: list[PageWarning] = field(default_factory=list)

    def line(self, *path: str) -> int | None:
        """Return the line of a key, or of the nearest one around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)

    def warn(self, line: int | None, code: str, message: str) -> None:
        """Add a warning."""
        self.warnings.append(PageWarning(line, code, message))


def read_front_matter(text: str) -> FrontMatter:
    """Read the front matter of a page's normalised text. Never raises."""
    block = find_block(text)
    if block is None:
        found = FrontMatter()
        if text.strip():
            found.warn(1, "front_matter_missing", "the page has no front matter")
        return found
    found = FrontMatter(body_start=block.body_start)
    if block.problem:
        found.warn(block.first_line, *block.problem)
    recovery = _read_block(block, found)
    _fill(found, block, recovery)
    return found


def _read_block(block: Block, found: FrontMatter) -> Recovery:
    """Return what the block says, by the first of the attempts that succeeds."""
    whole = _cut(_cleaned(block, found), block, found)
    for text in _attempts(whole, block, found):
        try:
            return Recovery(_read_mapping(text))
        except YamlUnreadable as error:
            problem = error
    line = block.first_line - 1 + problem.line
    found.warn(line, "front_matter_broken", f"no YAML, read line by line: {problem}")
    return recover(text)


def _attempts(text: str, block: Block, found: FrontMatter) -> Iterator[str]:
    """Yield the block as it stands, then with spaces for the tabs that YAML refuses."""
    yield text
    if tabs := TABS.search(text):
        line = block.first_line - 1 + line_at(text, tabs.start())
        found.warn(line, "front_matter_tabs", "tabs in the front matter were read as spaces")
        yield TABS.sub(lambda tabs: tabs[0].expandtabs(4), text)


def _cut(text: str, block: Block, found: FrontMatter) -> str:
    """Return the lines of the block that are read; rights in the others are unreadable."""
    if len(text) <= MAX_BLOCK_CHARS:
        return text
    message = f"only the first {MAX_BLOCK_CHARS} characters of the front matter are read"
    found.warn(block.first_line, "front_matter_too_large", message)
    end = text.rfind("\n", 0, MAX_BLOCK_CHARS) + 1
    found.unreadable |= mentioned(RIGHTS_MENTION, text[end:])
    return text[:end]


def _read_mapping(text: str) -> Reading:
    reading = read_yaml(text)
    if reading.value == "":
        reading.value = {}
    if not isinstance(reading.value, dict):
        kind = "list" if isinstance(reading.value, list) else "text"
        raise YamlUnreadable(1, f"a {kind} where `key: value` lines belong")
    return reading


def _cleaned(block: Block, found: FrontMatter) -> str:
    """Return the block with as many lines and without characters that YAML stumbles over."""
    text, first = block.text, block.first_line
    repairs = (
        (ZERO_WIDTH, "", "zero_width", "zero-width characters were left out"),
        (ODD_SPACE, " ", "odd_space", "non-breaking and other odd spaces became spaces"),
        (CONTROL, " ", "control_character", "control characters became spaces"),
    )
    for pattern, replacement, code, message in repairs:
        in_front_matter = f"in the front matter, {message}"
        found.warnings.extend(first_found(pattern, text, first, code, in_front_matter))
        text = pattern.sub(replacement, text)
    return text


def _fill(found: FrontMatter, block: Block, recovery: Recovery) -> None:
    """Put what was read into `found`, with lines of the file."""
    reading, above = recovery.reading, block.first_line - 1
    assert isinstance(reading.value, dict)
    found.values = reading.value
    found.lines = {path: above + line for path, line in reading.lines.items()}
    found.unreadable |= recovery.unreadable | mentioned(RIGHTS_LINE, block.beyond)
    found.unreadable |= {
        path[0] for path, _, same in reading.duplicates if path[0] in RIGHTS_KEYS and not same
    }
    found.warnings.extend(_reading_warnings(reading, recovery.lost_lines, above))
    if found.warnings and not (found.unreadable or KNOWN_KEYS & found.values.keys()):
        _give_back(found, block)


def _reading_warnings(reading: Reading, lost: list[int], above: int) -> Iterator[PageWarning]:
    for path, line, _ in reading.duplicates:
        message = f"`{'.'.join(path)}` stands twice; the first one counts"
        yield PageWarning(above + line, "duplicate_key", message)
    for key, line in reading.respelled:
        yield PageWarning(above + line, "key_spelling", f"read as `{key}`")
    for path, line, text in reading.traps:
        if path and path[0] in TEXT_KEYS:
            yield PageWarning(above + line, "yaml_scalar", f"`{text}` is kept as text; quote it")
    for line in lost:
        yield PageWarning(above + line, "front_matter_lines_lost", "nothing could be read here")


def _give_back(found: FrontMatter, block: Block) -> None:
    """Make a block that turned out to be prose between two rules part of the body again."""
    broken = any(warning.code == "front_matter_broken" for warning in found.warnings)
    if broken or block.problem:
        message = "the lines after the first `---` are no front matter, they belong to the text"
        found.warnings = [PageWarning(block.first_line, "front_matter_not_a_mapping", message)]
        found.values, found.lines, found.body_start = {}, {}, 0
