"""Markdown-it as this project uses it: block structure, and headings as plain text.

CommonMark with tables, plus headings whose `#` has no space behind it. Inline markup is parsed in
headings only. What the structure means for chunks: `structure`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

# Measured with markdown-it-py 4.3: 5 µs and half a kilobyte per token, five tokens a line in a
# list. Longer texts are parsed in windows, and a block that crosses a window's end ends there.
WINDOW_LINES = 50_000

# A heading is parsed as far as a reader would read it; paths are stored with each chunk.
HEADING_SOURCE_CHARACTERS = 1000
HEADING_CHARACTERS = 300

# Blocks worth keeping whole, and whether one that is too large is divided at its lines first (else
# at its sentences). A list itself is not kept whole, its items are.
LINE_BY_LINE = {
    "heading_open": False,
    "paragraph_open": False,
    "blockquote_open": False,
    "list_item_open": True,
    "table_open": True,
    "fence": True,
    "code_block": True,
    "html_block": True,
}

INVISIBLE = "\u00ad\u200b\u200c\u2060\ufeff"
WITHOUT_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))
LOOSE_HEADING = re.compile(rf"(#{{1,6}})[\u00a0{INVISIBLE}]*(?=[^\W_]|[*_`\[(\"'„“])(.*)")
TAGS_ONLY = re.compile(r"#\S+(?:[ \t]+#\S+)+[ \t]*")
CLOSING_HASHES = re.compile(r"[ \t]#+[ \t]*$")


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A block on lines `[first_line, end_line)`, counted from 0, inside `depth` levels of others.

    `heading_level` is 0 unless it is a heading of the page itself, not of a list or a quotation.
    """

    line_by_line: bool
    depth: int
    first_line: int
    end_line: int
    heading_level: int
    heading: str


@cache
def block_parser() -> MarkdownIt:
    """Return the parser of block structure; it sees line breaks at LF only, as offsets do."""
    parser = MarkdownIt("commonmark").enable("table").disable(["normalize", "inline", "text_join"])
    parser.block.ruler.after("heading", "loose_heading", loose_heading)
    return parser


@cache
def inline_parser() -> MarkdownIt:
    """Return the parser of inline markup."""
    return MarkdownIt("commonmark").enable("strikethrough")


def loose_heading(state: StateBlock, line: int, _end_line: int, silent: bool) -> bool:
    """Rule of markdown-it: `#Nadpis` at the start of a top-level block is a heading.

    Within a paragraph it stays text, as does a line of several `#tags`. CommonMark wants a space
    (section 4.2); wikis written for older converters leave it out.
    """
    if state.level or state.is_code_block(line):
        return False
    source = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
    found = LOOSE_HEADING.fullmatch(source)
    if not found or TAGS_ONLY.fullmatch(source):
        return False
    if not silent:
        push_heading(state, line, len(found[1]), CLOSING_HASHES.sub("", found[2]).strip())
    return True


def push_heading(state: StateBlock, line: int, level: int, content: str) -> None:
    """Add the three tokens that markdown-it makes of a heading on `line`."""
    state.line = line + 1
    opening = state.push("heading_open", f"h{level}", 1)
    inline = state.push("inline", "", 0)
    state.push("heading_close", f"h{level}", -1)
    opening.map = inline.map = [line, state.line]
    opening.markup, inline.content, inline.children = "#" * level, content, []


def markdown_blocks(text: str) -> Iterator[MarkdownBlock]:
    """Yield the blocks of `text`, each before those inside it."""
    lines = text.split("\n")
    env: dict[str, Any] = {}
    for first_line in range(0, len(lines), WINDOW_LINES):
        window = "\n".join(lines[first_line : first_line + WINDOW_LINES])
        tokens = block_parser().parse(window, env)
        for index, token in enumerate(tokens):
            if token.type in LINE_BY_LINE and token.map:
                heading = token.type == "heading_open" and token.level == 0
                yield MarkdownBlock(
                    line_by_line=LINE_BY_LINE[token.type],
                    depth=token.level,
                    first_line=first_line + token.map[0],
                    end_line=first_line + token.map[1],
                    heading_level=int(token.tag[1:]) if heading else 0,
                    heading=plain_heading(tokens[index + 1].content, env) if heading else "",
                )


def plain_heading(source: str, env: dict[str, Any]) -> str:
    """Return a heading's words without markup, at most `HEADING_CHARACTERS` long.

    `env` holds the link definitions of the page, as markdown-it collects them.
    """
    (inline,) = inline_parser().parseInline(source[:HEADING_SOURCE_CHARACTERS], env)
    words = "".join(plain_parts(inline.children or []))
    plain = " ".join(words.translate(WITHOUT_INVISIBLE).split())
    if len(plain) > HEADING_CHARACTERS or len(source) > HEADING_SOURCE_CHARACTERS:
        return plain[: HEADING_CHARACTERS - 1].rstrip() + "…"
    return plain


def plain_parts(tokens: list[Token]) -> Iterator[str]:
    """Yield the readable text of inline tokens: words, code, what an image shows."""
    for token in tokens:
        if token.type == "image":
            yield from plain_parts(token.children or [])
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "html_inline":
            yield token.content
