"""What holds of the chunks of any page, with any settings."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.chunking import Chunk, ChunkingSettings, chunk_text
from zp_pipeline.chunking.structure import sections_of
from zp_pipeline.shared.text.token_encoding import token_encoding

# The first example loads the vocabulary.
UNTIMED = settings(deadline=None)
WORDS = st.sampled_from(
    ["Ján", "Holp", "písal", "o", "c++", "seq2seq", "Ing.", "15.", "slovo.", "Vedúci:", "漢字。"]
    + ["**názov**", "[odkaz](../)", "`kód`", "#", "#x", "-", "|", ">", "```", "---", "\u00a0"]
    + ["👩\u200d👩\u200d👧", "🇸🇰🇸🇰", "e\u0301\u0323", "<|endoftext|>", "\u200b"]
)
LINES = st.lists(WORDS, max_size=12).map(" ".join)
LONG_WORDS = st.builds(
    lambda unit, count: unit * count,
    st.sampled_from(["a", "ž", "=", "👩\u200d", "e\u0301", "[", "7", "🇸🇰"]),
    st.integers(1, 400),
)
BLOCKS = st.one_of(
    LINES,
    LONG_WORDS,
    st.builds(lambda level, words: f"{'#' * level} {words}", st.integers(1, 6), LINES),
    st.lists(LINES, max_size=12).map("\n".join),
    st.lists(LINES, max_size=12).map(lambda lines: "```\n" + "\n".join(lines) + "\n```"),
    st.lists(LINES, max_size=12).map(lambda lines: "\n".join(f"- {line}" for line in lines)),
    st.lists(LINES, max_size=12).map(
        lambda lines: "| a |\n|---|\n" + "\n".join(f"| {line} |" for line in lines)
    ),
    st.lists(LINES, max_size=6).map(lambda lines: "\n".join(f"> {line}" for line in lines)),
)
PAGES = st.one_of(
    st.lists(st.tuples(BLOCKS, st.sampled_from(["\n", "\n\n", "\n \n\n"])), max_size=12).map(
        lambda blocks: "".join(block + gap for block, gap in blocks)
    ),
    st.text(alphabet="a. \n#-`|>*[1\té\u0301漢👩\u200d\u2028\r", max_size=600),
)
LIMITS = st.builds(
    lambda max_tokens, overlap, smallest: ChunkingSettings(
        max_tokens, min(overlap, max_tokens // 2), smallest
    ),
    st.integers(16, 120),
    st.integers(0, 40),
    st.integers(0, 60),
)


def own_parts(text: str, chunks: list[Chunk]) -> list[str]:
    """Return the text of the chunks without their overlaps."""
    return [text[chunk.own_start : chunk.char_end] for chunk in chunks]


def tokens(text: str) -> int:
    """Return the tokens of `text`."""
    return len(token_encoding("cl100k_base").encode_ordinary(text))


@UNTIMED
@given(PAGES, LIMITS, st.sampled_from(["", "---\ntitle: A\n---\n"]))
def test_own_parts_joined_are_the_body(body: str, limits: ChunkingSettings, head: str) -> None:
    text = head + body
    chunks = chunk_text(text, len(head), limits)
    assert "".join(own_parts(text, chunks)) == (body if body.strip() else "")
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))


@UNTIMED
@given(PAGES, LIMITS)
def test_token_count_is_exact_and_within_the_limit(text: str, limits: ChunkingSettings) -> None:
    for chunk in chunk_text(text, 0, limits):
        assert chunk.token_count == tokens(text[chunk.char_start : chunk.char_end])
        assert chunk.token_count <= limits.max_tokens


@UNTIMED
@given(PAGES, LIMITS)
def test_overlap_is_the_end_of_the_previous_own_part(text: str, limits: ChunkingSettings) -> None:
    section_starts = {section.start for section in sections_of(text, 0)}
    previous_own = 0
    for chunk in chunk_text(text, 0, limits):
        overlap = text[chunk.char_start : chunk.own_start]
        assert previous_own <= chunk.char_start <= chunk.own_start < chunk.char_end
        assert tokens(overlap) <= limits.overlap_tokens
        assert not overlap or (overlap.strip() and chunk.own_start not in section_starts)
        previous_own = chunk.own_start


@UNTIMED
@given(PAGES, LIMITS)
def test_chunk_lies_in_one_section_and_has_its_path(text: str, limits: ChunkingSettings) -> None:
    sections = sections_of(text, 0)
    for chunk in chunk_text(text, 0, limits):
        (section,) = (s for s in sections if s.start <= chunk.char_start < s.end)
        assert chunk.char_end <= section.end
        assert chunk.heading_path == section.heading_path


@UNTIMED
@given(PAGES, LIMITS)
def test_small_own_part_fits_with_no_neighbour(text: str, limits: ChunkingSettings) -> None:
    chunks = chunk_text(text, 0, limits)
    section_starts = {section.start for section in sections_of(text, 0)}
    for first, second in zip(chunks, chunks[1:], strict=False):
        smaller = min(tokens(part) for part in own_parts(text, [first, second]))
        if second.own_start not in section_starts and smaller < limits.min_tokens:
            assert tokens(text[first.own_start : second.char_end]) > limits.max_tokens


@UNTIMED
@given(PAGES, LIMITS)
def test_own_part_is_blank_only_in_a_long_blank_run(text: str, limits: ChunkingSettings) -> None:
    runs = (tokens(run) for run in re.findall(r"\s+", text))
    longest = max(runs, default=0)
    parts = own_parts(text, chunk_text(text, 0, limits))
    if longest < limits.max_tokens - limits.overlap_tokens:
        assert all(part.strip() for part in parts)


@UNTIMED
@given(PAGES, LIMITS)
def test_block_that_fits_is_whole_in_one_chunk(text: str, limits: ChunkingSettings) -> None:
    chunks = chunk_text(text, 0, limits)
    for section in sections_of(text, 0):
        # The first block may be divided to leave a part of it with the heading.
        for block in section.blocks:
            if block.start <= section.content_start:
                continue
            if chunks and tokens(text[block.start : block.end]) <= limits.max_tokens:
                owner = max(
                    (c for c in chunks if c.own_start <= block.start), key=lambda c: c.ordinal
                )
                assert block.end <= owner.char_end


@UNTIMED
@given(PAGES, LIMITS)
def test_same_input_gives_same_chunks(text: str, limits: ChunkingSettings) -> None:
    assert chunk_text(text, 0, limits) == chunk_text(text, 0, limits)


HEADINGS = st.lists(
    st.tuples(st.integers(1, 6), st.sampled_from(["Úvod", "Ciele", "Rok 2021"])), max_size=8
)


@UNTIMED
@given(HEADINGS, st.sampled_from(["# {}", "#{}", "# **{}** #"]))
def test_heading_path_is_the_hierarchy_above(headings: list[tuple[int, str]], form: str) -> None:
    text, expected = "", []
    above: list[tuple[int, str]] = []
    for level, words in headings:
        text += "#" * (level - 1) + form.format(words) + "\n\nodsek\n\n"
        above = [heading for heading in above if heading[0] < level] + [(level, words)]
        expected.append(tuple(words for _, words in above))
    assert [chunk.heading_path for chunk in chunk_text(text, 0, ChunkingSettings())] == expected
