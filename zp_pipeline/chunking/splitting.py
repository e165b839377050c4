"""A section as spans of at most `max_tokens` that tile it. Overlaps are added by `chunker`.

Greedy: each span takes as many whole blocks as fit. A block that fits nowhere whole is divided at
the last good boundary of what fits: of code, tables and lists a line, of paragraphs a sentence,
else the other of these, a word, and at last a character.
"""

from bisect import bisect_left
from itertools import pairwise

from zp_pipeline.chunking.boundaries import (
    first_non_space,
    last_cluster_start,
    last_line_start,
    last_sentence_start,
    last_word_start,
)
from zp_pipeline.chunking.chunk import ChunkingSettings
from zp_pipeline.chunking.structure import Block, Section
from zp_pipeline.chunking.token_ruler import TokenRuler

Span = tuple[int, int]


class SectionSplitter:
    """Cuts one section of `text`."""

    def __init__(
        self, text: str, section: Section, ruler: TokenRuler, settings: ChunkingSettings
    ) -> None:
        """Prepare to cut; the work is in `spans`."""
        self._text = text
        self._section = section
        self._ruler = ruler
        self._settings = settings
        # A cut behind the last character that is no space would leave a span of white space.
        self._last_cut = section.start + len(text[section.start : section.end].rstrip()) - 1

    def spans(self) -> list[Span]:
        """Return the spans, small ones merged with a neighbour where both fit together."""
        spans: list[Span] = []
        for span in pairwise(self._greedy_cuts()):
            if spans and self._should_merge(spans[-1], span):
                spans[-1] = (spans[-1][0], span[1])
            else:
                spans.append(span)
        return spans

    def _greedy_cuts(self) -> list[int]:
        cuts = [self._section.start]
        while cuts[-1] < self._section.end:
            cuts.append(self._next_cut(cuts[-1]))
        return cuts

    def _should_merge(self, first: Span, second: Span) -> bool:
        return (self._is_small(first) or self._is_small(second)) and self._fits(first[0], second[1])

    def _is_small(self, span: Span) -> bool:
        is_blank = not self._text[span[0] : span[1]].strip()
        return is_blank or self._ruler.count(*span) < self._settings.min_tokens

    def _fits(self, start: int, end: int) -> bool:
        return self._ruler.fits(start, end, self._settings.max_tokens)

    def _next_cut(self, start: int) -> int:
        """Return the end of the span at `start`, with room left for an overlap before it."""
        if self._fits(start, self._section.end):
            return self._section.end
        room = self._settings.max_tokens
        if start > self._section.start:
            room -= self._settings.overlap_tokens
        while True:
            cut = self._best_cut(start, self._reach(start, room))
            # Exceptionally the beginning of a text has more tokens than the text.
            if self._fits(start, cut):
                return cut
            room -= 1

    def _reach(self, start: int, room: int) -> int:
        far = self._ruler.reach(start, self._section.end, room)
        return self._last_cut if start < self._last_cut < far else far

    def _best_cut(self, start: int, far: int) -> int:
        floor = self._floor(start, far)
        if floor >= far:
            return far
        around = blocks_around(self._section.blocks, far)
        for block in around:
            # Finishing a block is worth a shorter overlap.
            if block.end <= self._last_cut and self._fits(start, block.end):
                return block.end
            if block.start > floor and self._fits(block.start, block.end):
                return block.start
        return self._cut_inside(around[-1] if around else None, floor, far)

    def _floor(self, start: int, far: int) -> int:
        """Return up to where a cut would leave only white space or a heading before it."""
        if start < self._section.content_start:
            floor = first_non_space(self._text, self._section.content_start, far)
            if floor < far:
                return floor
        return first_non_space(self._text, start, far)

    def _cut_inside(self, block: Block | None, floor: int, far: int) -> int:
        """Return the best cut in `(floor, far]`, which is in `block` or between blocks."""
        boundaries = [last_line_start, last_sentence_start]
        if block and not block.markdown.line_by_line:
            boundaries.reverse()
        first_choice, second_choice = boundaries
        cut = first_choice(self._text, max(floor, block.start) if block else floor, far)
        if cut is None and block and block.start > floor:
            return block.start
        return (
            cut
            or second_choice(self._text, floor, far)
            or last_word_start(self._text, floor, far)
            or last_cluster_start(self._text, floor, far)
        )


def blocks_around(blocks: list[Block], position: int) -> list[Block]:
    """Return the blocks that a cut at `position` would divide, the outermost first."""
    around: list[Block] = []
    while True:
        index = bisect_left(blocks, position, key=lambda block: block.start) - 1
        if index < 0 or blocks[index].end <= position:
            return around
        around.append(blocks[index])
        blocks = blocks[index].parts
