"""Where text may be cut, without Markdown and tokens."""

import pytest

from zp_pipeline.chunking.boundaries import (
    first_boundary,
    joins_previous,
    last_cluster_start,
    last_line_start,
    last_sentence_start,
    last_word_start,
)


def after(text: str, beginning: str) -> int:
    """Return the position right after `beginning` in `text`."""
    assert text.startswith(beginning)
    return len(beginning)


def test_last_line_start_limit_at_line_start_counts() -> None:
    assert last_line_start("ab\ncd\n", 0, 6) == 6
    assert last_line_start("ab\ncd\n", 0, 5) == 3
    assert last_line_start("ab\ncd\n", 3, 5) is None


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("Jedna veta. Druhá veta", "Jedna veta. "),
        ("Povedal: „Áno.“ Potom išiel", "Povedal: „Áno.“ "),
        ("Prečo? (Lebo", "Prečo? "),
        ("Obhájil v roku 2020. Potom učil", "Obhájil v roku 2020. "),
        ("漢字。漢字", "漢字。"),
    ],
)
def test_last_sentence_start_sentence_follows_is_found(text: str, beginning: str) -> None:
    assert last_sentence_start(text, 0, len(text)) == after(text, beginning)


@pytest.mark.parametrize(
    "text",
    [
        "Vedúci je Ing. Novák",
        "dňa 15. Mája",
        "J. Novák",
        "napr. Fairseq",
        "verzia 3.11 Pythonu",
        "atď. a tak ďalej",
        "v. 2.0",
    ],
)
def test_last_sentence_start_abbreviation_or_number_is_none(text: str) -> None:
    assert last_sentence_start(text, 0, len(text)) is None


def test_last_word_start_limit_within_word_is_start_of_word() -> None:
    assert last_word_start("jeden dva tri", 0, 8) == 6
    assert last_word_start("jeden dva tri", 0, 6) == 6
    assert last_word_start("jeden", 0, 3) is None


@pytest.mark.parametrize(
    "cluster",
    ["e\u0301\u0323", "👩\u200d👩\u200d👧", "🇸🇰", "👍🏽", "❤\ufe0f", "ก\u0e38"],
)
def test_last_cluster_start_limit_within_cluster_is_its_start(cluster: str) -> None:
    text = "x" + cluster + cluster + "y"
    for limit in range(2, 1 + len(cluster)):
        assert last_cluster_start(text, 0, limit) == 1
    assert last_cluster_start(text, 0, 1 + len(cluster)) == 1 + len(cluster)


def test_last_cluster_start_endless_cluster_is_cut_at_limit() -> None:
    assert last_cluster_start("e" + "\u0301" * 500, 0, 300) == 300


def test_joins_previous_ordinary_letters_do_not() -> None:
    assert not any(joins_previous("ľúbiť 漢字", position) for position in range(9))


def test_first_boundary_prefers_lines_and_sentences_to_words() -> None:
    text = "prvé slová. Druhá veta\nTretí riadok"
    assert first_boundary(text, 2, len(text)) == after(text, "prvé slová. ")
    assert first_boundary(text, 14, len(text)) == after(text, "prvé slová. Druhá veta\n")
    assert first_boundary(text, 25, len(text)) == after(text, "prvé slová. Druhá veta\nTretí ")
    assert first_boundary(text, 31, len(text)) == len(text)


def test_first_boundary_empty_lines_are_passed_over() -> None:
    assert first_boundary("abc\n\n\nď", 1, 7) == 6
    assert first_boundary("abc\n\n\nď", 4, 7) == 6
