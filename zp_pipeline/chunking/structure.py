"""A Markdown body as sections of nested blocks, all as spans of offsets. Cutting: `splitting`."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate

from zp_pipeline.chunking.markdown import MarkdownBlock, markdown_blocks


@dataclass(frozen=True, slots=True)
class Block:
    """A block that should stay whole; `parts` are the blocks inside it, in order."""

    start: int
    end: int
    markdown: MarkdownBlock
    parts: list["Block"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what follows until the next one; `content_start` is where the latter begins.

    `level` is the heading's, 0 for what stands before the first heading of a page.
    """

    heading_path: tuple[str, ...]
    level: int
    start: int
    content_start: int
    end: int
    blocks: list[Block]


def sections_of(text: str, body_start: int) -> list[Section]:
    """Divide `text[body_start:]` into sections that tile it.

    A section with nothing under its heading becomes the beginning of the next one if that is
    deeper; so does white space before the first heading.
    """
    joined: list[Section] = []
    for section in raw_sections(outermost_blocks(text, body_start), body_start, len(text)):
        if joined and is_lone(text, joined[-1]) and joined[-1].level < section.level:
            joined[-1] = replace(section, start=joined[-1].start)
        else:
            joined.append(section)
    return joined


def is_lone(text: str, section: Section) -> bool:
    """Tell whether a section has nothing under its heading."""
    return not text[section.content_start : section.end].strip()


def raw_sections(blocks: list[Block], start: int, end: int) -> Iterator[Section]:
    """Yield what stands before the first heading, maybe nothing, and a section per heading."""
    groups: list[list[Block]] = [[]]
    for block in blocks:
        if block.markdown.heading_level:
            groups.append([])
        groups[-1].append(block)
    starts = [start, *(group[0].start for group in groups[1:]), end]
    yield Section((), 0, start, start, starts[1], groups[0])
    hierarchy: list[MarkdownBlock] = []
    for group, group_end in zip(groups[1:], starts[2:], strict=True):
        heading = group[0].markdown
        hierarchy = [above for above in hierarchy if above.heading_level < heading.heading_level]
        hierarchy.append(heading)
        path = tuple(above.heading for above in hierarchy if above.heading)
        level, content_start = heading.heading_level, group[0].end
        yield Section(path, level, group[0].start, content_start, group_end, group)


def outermost_blocks(text: str, body_start: int) -> list[Block]:
    """Return the blocks of the body that are in no other, in order."""
    body = text[body_start:]
    starts, ends = line_bounds(body.split("\n"), body_start)
    outermost: list[Block] = []
    inside: list[Block] = []
    for markdown in markdown_blocks(body):
        block = Block(starts[markdown.first_line], ends[markdown.end_line], markdown)
        while inside and not contains(inside[-1].markdown, markdown):
            inside.pop()
        (inside[-1].parts if inside else outermost).append(block)
        inside.append(block)
    return outermost


def contains(outer: MarkdownBlock, inner: MarkdownBlock) -> bool:
    """Tell whether `inner`, which begins later or together, is within `outer`."""
    return outer.depth < inner.depth and inner.first_line < outer.end_line


def line_bounds(lines: list[str], body_start: int) -> tuple[list[int], list[int]]:
    """Return where a block begins that begins on a line, and where one ends that ends before it.

    Blank lines belong to the block before them. Both lists have one item more than `lines`.
    """
    starts = list(accumulate((len(line) + 1 for line in lines), initial=body_start))
    starts[-1] -= 1  # nothing breaks the last line
    ends = list(starts)
    for number in reversed(range(len(lines))):
        if not lines[number].strip():
            ends[number] = ends[number + 1]
    return starts, ends
