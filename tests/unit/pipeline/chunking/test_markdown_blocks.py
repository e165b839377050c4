"""Which lines are headings of a page, what their words are, which blocks are seen."""

import pytest

from zp_pipeline.chunking.markdown import HEADING_CHARACTERS, markdown_blocks


def headings(text: str) -> list[tuple[int, str]]:
    """Return level and words of the headings of a page."""
    blocks = markdown_blocks(text)
    return [(block.heading_level, block.heading) for block in blocks if block.heading_level]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Ján Holp", (1, "Ján Holp")),
        ("### Ciele ###", (3, "Ciele")),
        ("Ján Holp\n===", (1, "Ján Holp")),
        ("Ján\nHolp\n---", (2, "Ján Holp")),
        ("#Ján Holp", (1, "Ján Holp")),
        ("##Diplomová práca 2022 ##", (2, "Diplomová práca 2022")),
        ("#\u00a0\u200bÚvod", (1, "Úvod")),
        ("# A\n#B", (1, "B")),
        ("#2019", (1, "2019")),
        ("#**Tučný**", (1, "Tučný")),
    ],
)
def test_markdown_blocks_heading_line_is_heading(text: str, expected: tuple[int, str]) -> None:
    assert headings(text)[-1] == expected


@pytest.mark.parametrize(
    "text",
    [
        "odsek\n#Nadpis",
        "#nlp #ir #fairseq",
        "```\n# komentár\n#include\n```",
        "~~~~\n# komentár\n~~~\n#include\n~~~~",
        "````\n```\n# komentár\n````",
        "    # odsadené\n    #tiež",
        "> # citovaný\n> #citovaný",
        "- # v zozname\n- #v zozname",
        "#!/bin/sh",
        "#######Sedem",
        "<div>\n# nie\n</div>",
    ],
)
def test_markdown_blocks_other_line_is_no_heading(text: str) -> None:
    assert headings(text) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("**Názov** *práce*: `seq2seq` ~~starý~~", "Názov práce: seq2seq starý"),
        ("[Ján Holp](../) ![foto](a.png)", "Ján Holp foto"),
        ('<a name="x"></a>Otázky &amp; odpovede', "Otázky & odpovede"),
        ("[Fairseq][f]", "Fairseq"),
        ("C\\# a C++", "C# a C++"),
        ("", ""),
    ],
)
def test_markdown_blocks_markup_in_heading_is_stripped(source: str, words: str) -> None:
    assert headings(f"# {source}\n\n[f]: http://localhost\n") == [(1, words)]


def test_markdown_blocks_endless_heading_is_shortened() -> None:
    ((_, words),) = headings("# " + "slovo " * 10_000)
    assert len(words) <= HEADING_CHARACTERS
    assert words.endswith("…")


def test_markdown_blocks_nested_blocks_have_lines_and_depth() -> None:
    blocks = list(markdown_blocks("- a\n\n  > b\n\n|x|\n|-|\n|1|\n"))
    spans = [(block.first_line, block.end_line) for block in blocks]
    assert spans == [(0, 4), (0, 1), (2, 3), (2, 3), (4, 7)]
    assert blocks[0].depth < blocks[2].depth < blocks[3].depth


def test_markdown_blocks_text_longer_than_a_window_keeps_line_numbers() -> None:
    blocks = list(markdown_blocks("x\n\n" * 30_000 + "# Koniec\n"))
    assert (blocks[-1].first_line, blocks[-1].heading) == (60_000, "Koniec")
