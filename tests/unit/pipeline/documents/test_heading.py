"""The first H1 of a page."""

import pytest

from zp_pipeline.documents.heading import first_heading, plain_text


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Nadpis", ("Nadpis", 0, False)),
        ("\n#Nadpis #\n", ("Nadpis", 1, True)),
        ("## Dva\n# Jeden ##", ("Jeden", 1, False)),
        ("Nadpis\n===", ("Nadpis", 0, False)),
        ("```\n# nie\n```\n# áno", ("áno", 3, False)),
        ("````\n```\n# nie\n````\n# áno", ("áno", 4, False)),
        ("~~~ python\n# nie\n```\n~~~\n# áno", ("áno", 4, False)),
        ("# [Ján **Novák**](../) `x`", ("Ján Novák x", 0, False)),
        ('# <a name="x"></a>Nadpis', ("Nadpis", 0, False)),
        ("# ![](obrázok.png)\n# áno", ("áno", 1, False)),
        ("# C#", ("C#", 0, False)),
    ],
)
def test_first_heading_is_found(text: str, heading: tuple[str, int, bool]) -> None:
    assert first_heading(text.split("\n")) == heading


@pytest.mark.parametrize(
    "text",
    ["", "text", "## Dva", "    # kód", "#", "# ", "```\n# nie", "\n===", "- a\n===", "####### a"],
)
def test_first_heading_is_none_without_h1(text: str) -> None:
    assert first_heading(text.split("\n")) is None


def test_plain_text_keeps_escapes_and_entities_as_read() -> None:
    assert plain_text(r"a \* b &amp; c") == "a * b & c"
