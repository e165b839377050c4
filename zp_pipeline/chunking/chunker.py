"""One document's text into chunks. Tables of documents: `chunk_table`."""

from collections.abc import Iterator
from itertools import pairwise

from zp_pipeline.chunking.boundaries import first_boundary
from zp_pipeline.chunking.chunk import Chunk, ChunkingSettings
from zp_pipeline.chunking.splitting import SectionSplitter, Span
from zp_pipeline.chunking.structure import Section, sections_of
from zp_pipeline.chunking.token_ruler import TokenRuler
from zp_pipeline.shared.text.token_encoding import token_encoding


def chunk_text(text: str, body_start: int, settings: ChunkingSettings) -> list[Chunk]:
    """Return the chunks of `text[body_start:]`, in order; a blank body has none.

    Their own parts, put together, are the body. A chunk is of one section, and of white space only
    where a run of that alone is longer than `max_tokens - overlap_tokens`.
    """
    if not text[body_start:].strip():
        return []
    ruler = TokenRuler(text, body_start, token_encoding(settings.encoding))
    placed = [
        (section, start, span)
        for section in sections_of(text, body_start)
        for start, span in overlapping_spans(text, section, ruler, settings)
    ]
    return [
        Chunk(ordinal, section.heading_path, start, own, end, ruler.count(start, end))
        for ordinal, (section, start, (own, end)) in enumerate(placed)
    ]


def overlapping_spans(
    text: str, section: Section, ruler: TokenRuler, settings: ChunkingSettings
) -> Iterator[tuple[int, Span]]:
    """Yield where each chunk of a section starts, with its own span."""
    spans = SectionSplitter(text, section, ruler, settings).spans()
    if spans:
        yield spans[0][0], spans[0]
    for previous, span in pairwise(spans):
        yield overlap_start(text, previous, span, ruler, settings), span


def overlap_start(
    text: str, previous: Span, span: Span, ruler: TokenRuler, settings: ChunkingSettings
) -> int:
    """Return where the repeated end of the `previous` span begins: a line, sentence or word."""
    own, end = span
    room = min(settings.overlap_tokens, settings.max_tokens - ruler.count(own, end))
    while room > 0:
        start = first_boundary(text, ruler.reach_back(previous[0], own, room), own)
        if not text[start:own].strip():
            return own
        excess = max(
            ruler.count(start, own) - settings.overlap_tokens,
            ruler.count(start, end) - settings.max_tokens,
        )
        if excess <= 0:
            return start
        room -= excess
    return own
