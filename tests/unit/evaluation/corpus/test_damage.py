"""Each damage does what its name says, and only that."""

import pytest

from evaluation.corpus.damage import DAMAGES, damaged
from evaluation.corpus.facts import load_facts

PAGE = "---\ntitle: Ján\ntaxonomy:\n    tag: [ir]\n---\n# Ján\n\n- Vedúci: Eva\n".encode()

EXPECTED = {
    "bom": b"\xef\xbb\xbf---\ntitle",
    "nfd": b"# Ja\xcc\x81n\n",
    "crlf": b"---\r\ntitle",
    "zero_width": b"# \xe2\x80\x8bJ",
    "no_break_spaces": "Vedúci:\u00a0Eva".encode(),
    "glued_headings": "\n#Ján\n".encode(),
    "tabs": b"\n\ttag: [ir]\n",
    "trailing_spaces": b"---  \ntitle",
}


@pytest.mark.parametrize("name", sorted(DAMAGES))
def test_damaged_single_changes_the_page_as_named(name: str) -> None:
    assert EXPECTED[name] not in PAGE
    assert EXPECTED[name] in damaged(PAGE, (name,))


def test_damaged_no_names_returns_the_page() -> None:
    assert damaged(PAGE, ()) == PAGE


def test_damaged_several_applies_them_in_order() -> None:
    page = damaged(PAGE, ("glued_headings", "crlf"))
    assert "\r\n#Ján\r\n".encode() in page


def test_damages_all_occur_in_the_facts() -> None:
    assert {name for student in load_facts().students for name in student.damage} == set(DAMAGES)
