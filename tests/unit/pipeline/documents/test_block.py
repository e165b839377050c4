"""Where a page's front matter begins and ends."""

import pytest

from zp_pipeline.documents.block import find_block


@pytest.mark.parametrize(
    ("text", "inside", "first_line", "body"),
    [
        ("---\na: b\n---\nbody", "a: b\n", 2, "body"),
        ("---\na: b\n...\nbody", "a: b\n", 2, "body"),
        ("--- \na: b\n---\t\nbody", "a: b\n", 2, "body"),
        ("\u200b---\na: b\n---\u200b\nbody", "a: b\n", 2, "body"),
        ("---\n---\nbody", "", 2, "body"),
        ("---\na: |\n  ---\n---", "a: |\n  ---\n", 2, ""),
    ],
)
def test_find_block_well_formed(text: str, inside: str, first_line: int, body: str) -> None:
    block = find_block(text)
    assert block is not None
    assert (block.text, block.first_line) == (inside, first_line)
    assert text[block.body_start :] == body


@pytest.mark.parametrize(
    ("text", "code", "inside", "body"),
    [
        ("\n\n---\na: b\n---\nbody", "front_matter_not_first", "a: b\n", "body"),
        ("---\na: b\n\n# Nadpis", "front_matter_unterminated", "a: b\n", "\n# Nadpis"),
        ("---\na:\n  - b\n\nc: d\nText.", "front_matter_unterminated", None, "Text."),
        ("valid_to: x\n---\nbody", "front_matter_unopened", "valid_to: x\n", "body"),
        ("--\npublished: no\n\nbody", "front_matter_unopened", "published: no\n", "\nbody"),
    ],
)
def test_find_block_ill_formed(text: str, code: str, inside: str | None, body: str) -> None:
    block = find_block(text)
    assert block is not None
    assert block.problem is not None
    assert block.problem[0] == code
    assert inside in (None, block.text)
    assert text[block.body_start :] == body


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "# Nadpis\n---\n",
        "---\nText, nie kľúč.\n",
        "----\na: b\n---\n",
        "Rok: 2019\n---\n",
    ]
    + ["published: 2019 v Košiciach\n", "---"],
)
def test_find_block_page_without_front_matter(text: str) -> None:
    assert find_block(text) is None
