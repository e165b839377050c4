"""Sections: the heading hierarchy and where sections begin and end."""

from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.chunking.structure import Block, outermost_blocks, sections_of

# The first example loads the vocabulary.
UNTIMED = settings(deadline=None)
LINES = st.sampled_from(
    ["", "a", "- a", "  - b", "1. c", "> d", "> - e", "# f", "```", "|x|", "|-|"]
)


def parts(text: str, body_start: int = 0) -> list[tuple[tuple[str, ...], str]]:
    """Return heading path and text of the sections."""
    sections = sections_of(text, body_start)
    return [(section.heading_path, text[section.start : section.end]) for section in sections]


def test_sections_of_levels_form_hierarchy() -> None:
    text = "# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne\n"
    paths = [path for path, _ in parts(text)]
    assert paths == [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


def test_sections_of_skipped_levels_keep_what_is_above() -> None:
    text = "### C\nc\n# A\na\n#### D\nd\n## B\nb\n"
    assert [path for path, _ in parts(text)] == [("C",), ("A",), ("A", "D"), ("A", "B")]


def test_sections_of_lone_headings_join_deeper_section() -> None:
    text = "\n# A\n\n## B\n### C\ntext\n## D\nd\n"
    assert parts(text) == [
        (("A", "B", "C"), "\n# A\n\n## B\n### C\ntext\n"),
        (("A", "D"), "## D\nd\n"),
    ]


def test_sections_of_lone_heading_before_sibling_stays_alone() -> None:
    assert parts("## A\n## B\nb") == [(("A",), "## A\n"), (("B",), "## B\nb")]


def test_sections_of_text_before_first_heading_has_empty_path() -> None:
    assert parts("úvod\n\n# A\na") == [((), "úvod\n\n"), (("A",), "# A\na")]


def test_sections_of_heading_without_words_is_left_out_of_path() -> None:
    assert [path for path, _ in parts("#\na\n## B\nb")] == [(), ("B",)]


def test_sections_of_front_matter_is_not_read() -> None:
    text = "---\n# komentár\n---\n# A\na"
    assert parts(text, body_start=19) == [(("A",), "# A\na")]


def test_outermost_blocks_items_after_paragraph_are_not_inside_it() -> None:
    text = "a\n\n- b\n\n  c\n- d\n"
    paragraph, first, second = outermost_blocks(text, 0)
    assert paragraph.parts == []
    assert [text[part.start : part.end] for part in first.parts] == ["- b\n\n", "  c\n"]
    assert text[second.start : second.end] == "- d\n"


@UNTIMED
@given(st.lists(LINES, max_size=30))
def test_outermost_blocks_any_page_nests_properly(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert_nested(outermost_blocks(text, 0), 0, len(text))


def assert_nested(blocks: list[Block], start: int, end: int) -> None:
    """Assert that `blocks` lie in order within `[start, end)`, and their parts within them."""
    for block in blocks:
        assert start <= block.start <= block.end <= end
        assert_nested(block.parts, block.start, block.end)
        start = block.end
