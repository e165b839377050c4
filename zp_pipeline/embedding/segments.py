"""What the model reads for a chunk: its input texts, none over the limit and nothing left out.

A chunk's input is the prefix, a header (title, authors, tags and categories, headings) and the
chunk's text. Where that is too long the text is cut into segments, each under the same header.
Only the inputs are cut: the chunk itself, full text and graph keep it whole.
"""

import math
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from zp_pipeline.shared.embedding.tokens import MAX_TOKENS, TokenCounter

PASSAGE_PREFIX = "passage: "

# A header over half of the limit would leave too little room for the text below it.
HEADER_MAX_TOKENS = MAX_TOKENS // 2

WHITESPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as the model should see it: the header's lines, and the chunk's text."""

    header: str
    content: str


@dataclass(frozen=True, slots=True)
class Segment:
    """One input of the model, and the part of the chunk's text that it covers."""

    text: str
    content: str


def passage_header(
    title: str | None,
    authors: Sequence[str],
    tags: Sequence[str],
    categories: Sequence[str],
    heading_path: Sequence[str],
) -> str:
    """Return the header of a chunk: one line for each thing that is known, without labels."""
    headings = heading_path[1:] if heading_path[:1] == [title] else heading_path
    lines = [
        title or "",
        ", ".join(authors),
        ", ".join([*tags, *categories]),
        " > ".join(headings),
    ]
    return "\n".join(line for line in lines if line)


def whole_input(passage: Passage) -> str:
    """Return the input of a passage that needs no cutting."""
    return _lead(passage.header) + passage.content


def segment_passages(
    passages: Sequence[Passage], count: TokenCounter, known: Container[str] = ()
) -> list[list[Segment]]:
    """Return the segments of each passage, at least one, each of at most 512 tokens.

    The `content` of a passage's segments, joined, is its content. Inputs in `known` are known to
    fit and are not counted again: counting 6,000 takes seconds, which a small change need not pay.
    """
    inputs = [whole_input(passage) for passage in passages]
    unknown = [text for text in inputs if text not in known]
    tokens = dict(zip(unknown, count(unknown), strict=True))
    return [
        [Segment(text, passage.content)]
        if tokens.get(text, 0) <= MAX_TOKENS
        else _segments(passage, count)
        for passage, text in zip(passages, inputs, strict=True)
    ]


def split_to_fit(lead: str, text: str, limit: int, count: TokenCounter) -> list[str]:
    """Cut `text` into parts so that `lead` + part has at most `limit` tokens; joined, they are it.

    Each part is counted as it will be read, since tokens of parts do not add up to the whole's.
    """
    lead_tokens, tokens = count([lead, lead + text])
    if tokens <= limit:
        return [text]
    number = max(2, math.ceil((tokens - lead_tokens) / (limit - lead_tokens)))
    parts = _cut(text, min(number, len(text)))
    return [fitting for part in parts for fitting in split_to_fit(lead, part, limit, count)]


def _segments(passage: Passage, count: TokenCounter) -> list[Segment]:
    short, *rest = split_to_fit(PASSAGE_PREFIX, passage.header, HEADER_MAX_TOKENS, count)
    lead = _lead(short)
    segments = [
        Segment(lead + part, part)
        for part in split_to_fit(lead, passage.content, MAX_TOKENS, count)
    ]
    # What is beyond a header's share becomes segments of its own, so that it is found as well.
    return segments + [Segment(PASSAGE_PREFIX + part, "") for part in rest]


def _lead(header: str) -> str:
    return f"{PASSAGE_PREFIX}{header}\n" if header else PASSAGE_PREFIX


def _cut(text: str, number: int) -> Iterable[str]:
    """Cut into `number` parts of about one length, after whitespace where some is near."""
    reach = len(text) // (4 * number)
    targets = [len(text) * index // number for index in range(1, number)]
    bounds = [0, *(_after_whitespace(text, target, reach) for target in targets), len(text)]
    return [text[start:end] for start, end in zip(bounds[:-1], bounds[1:], strict=True)]


def _after_whitespace(text: str, target: int, reach: int) -> int:
    """Return the end of the whitespace nearest to `target`, at most `reach` away, else `target`."""
    found = [match.end() for match in WHITESPACE.finditer(text, target - reach, target + reach)]
    return min(found, key=lambda end: abs(end - target), default=target)
