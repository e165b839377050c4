"""The first H1 of a page, which is its title when the front matter gives none."""

import re
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt

FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
ATX = re.compile(r" {0,3}#(?!#)(?P<space>[ \t]*)(?P<text>.*)")
UNDERLINE = re.compile(r" {0,3}=+[ \t]*")
MAX_HEADING_CHARS = 1000  # a line of a million brackets is no title, and takes long to parse
NO_PARAGRAPH = re.compile(r"\s*$| {4}| {0,3}(?:>|[-*+] |#)")


def first_heading(lines: list[str]) -> tuple[str, int, bool] | None:
    """Return text, index in `lines` and whether the space after `#` is missing; None if no H1."""
    previous = ""
    for number, line in _outside_fences(lines):
        if (atx := ATX.fullmatch(line)) and (text := plain_text(_without_closing(atx["text"]))):
            return text, number, not atx["space"]
        if UNDERLINE.fullmatch(line) and not NO_PARAGRAPH.match(previous):
            return plain_text(previous), number - 1, False
        previous = line
    return None


def plain_text(markdown: str) -> str:
    """Return one line of Markdown without its marks, links and HTML."""
    tokens = _inline_parser().parseInline(markdown.strip()[:MAX_HEADING_CHARS])[0].children or []
    kept = ("text", "code_inline", "text_special")
    return " ".join("".join(token.content for token in tokens if token.type in kept).split())


def _without_closing(text: str) -> str:
    """Return the text of an ATX heading without the `#` that may close it."""
    text = text.rstrip()
    opened = text.rstrip("#")
    return opened if opened != opened.rstrip() else text


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt()


def _outside_fences(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not in a fenced block, with their index."""
    fence = ""
    for number, line in enumerate(lines):
        mark = FENCE.fullmatch(line)
        if fence:
            if mark and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = ""
        elif mark and not (mark["mark"][0] == "`" and "`" in mark["info"]):
            fence = mark["mark"]
        else:
            yield number, line
