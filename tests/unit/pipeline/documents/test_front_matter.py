"""Front matter as a whole: every state of it gives values, and warnings with their lines."""

from typing import Any

import pytest

from zp_pipeline.documents.front_matter import MAX_BLOCK_CHARS, FrontMatter, read_front_matter


def codes(front: FrontMatter) -> list[tuple[str, int | None]]:
    """Return codes and lines of the warnings."""
    return [(warning.code, warning.line) for warning in front.warnings]


def test_read_front_matter_clean_block_warns_of_nothing() -> None:
    front = read_front_matter("---\ntitle: X\ntaxonomy:\n    tag: [a]\n---\nText")
    assert front.values == {"title": "X", "taxonomy": {"tag": ["a"]}}
    assert front.line("taxonomy", "tag", "0") == 4
    assert codes(front) == []


@pytest.mark.parametrize(
    ("block", "values", "warnings"),
    [
        ("a: 1\na: 2\n", {"a": "1"}, [("duplicate_key", 3)]),
        ("a:\n\tb: c\n", {"a": {"b": "c"}}, [("front_matter_tabs", 3)]),
        ("title:\tX\n", {"title": "X"}, [("front_matter_tabs", 2)]),
        ("a: b\ntitle: no\n", {"a": "b", "title": "no"}, [("yaml_scalar", 3)]),
        ("Title: X\n", {"title": "X"}, [("key_spelling", 2)]),
        ("x: y\n\u200btitle:\u00a0X\n", None, [("zero_width", 3), ("odd_space", 3)]),
        ("title: a\x07b\n", {"title": "a b"}, [("control_character", 2)]),
        ("title: a\u2028b\nx:\nx:\n", None, [("control_character", 2), ("duplicate_key", 4)]),
        ("title: Týždeň 1: Úvod\n", {"title": "Týždeň 1: Úvod"}, [("front_matter_broken", 2)]),
        ("title:NLP", {"title": "NLP"}, [("front_matter_broken", 2)]),
        ("", {}, []),
        ("# len poznámka\n", {}, []),
    ],
)
def test_read_front_matter_repairs_with_line(
    block: str, values: dict[str, Any] | None, warnings: list[tuple[str, int]]
) -> None:
    front = read_front_matter(f"---\n{block}\n---\nText")
    assert values is None or front.values == values
    assert codes(front) == warnings
    assert front.body_start == len(f"---\n{block}\n---\n")


def test_read_front_matter_missing_is_told() -> None:
    assert codes(read_front_matter("# Nadpis")) == [("front_matter_missing", 1)]
    assert codes(read_front_matter("\n")) == []


@pytest.mark.parametrize("prose", ["Veta medzi čiarami.", "- bod\n- bod", "a [b\nPozn.: c"])
def test_read_front_matter_prose_between_rules_stays_text(prose: str) -> None:
    front = read_front_matter(f"---\n{prose}\n---\nText")
    assert (front.values, front.body_start) == ({}, 0)
    assert codes(front) == [("front_matter_not_a_mapping", 2)]


def test_read_front_matter_unterminated_block_is_read() -> None:
    front = read_front_matter("---\ntitle: X\npublished: false\n\n# Nadpis\n")
    assert front.values == {"title": "X", "published": "false"}
    assert codes(front) == [("front_matter_unterminated", 2)]


def test_read_front_matter_rights_beyond_an_unterminated_block_are_unreadable() -> None:
    front = read_front_matter("---\ntitle: X\n# poznámka\nallowed_groups: [a]\n")
    assert front.unreadable == {"allowed_groups"}


def test_read_front_matter_duplicate_rights_are_unreadable_unless_the_same() -> None:
    front = read_front_matter("---\npublished: a\npublished: b\nvalid_to: c\nvalid_to: c\n---\n")
    assert front.unreadable == {"published"}


def test_read_front_matter_huge_block_is_read_in_part() -> None:
    lines = "".join(f"key{n}: value\n" for n in range(80_000))
    front = read_front_matter(f"---\ntitle: X\n{lines}allowed_groups: [a]\n---\nText")
    assert len(lines) > 10 * MAX_BLOCK_CHARS
    assert front.values["title"] == "X"
    assert front.unreadable == {"allowed_groups"}
    assert codes(front) == [("front_matter_too_large", 2)]
