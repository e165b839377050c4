"""What a reader of a page has to tell its author. Codes are stable; messages are for people."""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageWarning:
    """One finding; `line` counts from 1 in the raw file, None when it concerns the whole file."""

    line: int | None
    code: str
    message: str


def line_at(text: str, position: int) -> int:
    """Return the line, counted from 1, of the character at `position`."""
    return text.count("\n", 0, position) + 1


def first_found(
    pattern: re.Pattern[str], text: str, first_line: int, code: str, message: str
) -> Iterator[PageWarning]:
    """Yield one warning, at the first match, however many there are."""
    if match := pattern.search(text):
        yield PageWarning(first_line - 1 + line_at(text, match.start()), code, message)
