"""The demo wiki has every trait of the user's wiki, row by row of its description."""

import re
from collections import Counter

import pytest

from evaluation.corpus.facts import load_facts
from evaluation.corpus.rendering import render_pages
from evaluation.corpus.wiki_file import REGULAR, SUBMODULE, SYMLINK

FILES = render_pages(load_facts())
PAGES = {
    path: file.content.decode("utf-8", "surrogateescape")
    for path, file in FILES.items()
    if path.endswith(b".md") and file.mode == REGULAR and len(file.content) < 2**20
}

SHAPES = {
    "flow category": r"(?m)^    category: \[dp20\d\d\]$",
    "flow tags": r"(?m)^    tag: \[ir,\s?nlp",
    "inline taxonomy": r"(?m)^taxonomy: \{category: \[",
    "author": r"(?m)^    author: \w+ \w+$",
    "author without diacritics": r"(?m)^    author: Maria Lipovska$",
    "visible": r"(?m)^visible: true$",
    "categories": r"category: \[tp20\d\d|- tp20\d\d",
    "info": r"category: \[?info",
    "blog": r"category: \[blog\]",
    "two spaces": r"(?m)^- Vedúci:  \w",
    "supervisor below": r"(?m)^Vedúci: \n\n\[[\w ]+\]\(\.\./\)$",
    "supervisor with titles": r"(?m)^Vedúci: Ing\. \w+ \w+ PhD\.$",
    "supervisor without diacritics": r"(?m)^Vedúci: (Matus Cierny|Daniel Kratky|Jozef Vrabel)$",
    "name of supervisor": r"(?m)^\*Meno vedúceho\*: ",
    "woman": r"(?m)^Vedúca: ",
    "tutor": r"(?m)^Školiteľ(ka)?: ",
    "consultant": r"(?m)^Konzultant(ka)?: ",
    "master": r"(?m)^## Diplomová práca 20\d\d$",
    "bachelor": r"(?m)^# Bakalárska práca \(20\d\d\)$",
    "project": r"(?m)^## Diplomový projekt 2",
    "team": r"(?m)^## Tímový projekt 20\d\d$",
    "dissertation": r"(?m)^## Dizertačná práca",
    "title in emphasis": r"(?m)^\*Názov diplomovej práce\*: ",
    "title": r"(?m)^Názov: ",
    "theme": r"(?m)^Téma: ",
    "title below": r"(?m)^Názov práce\n\n\w",
    "title quoted": r"(?m)^Názov práce: „",
    "title quoted below": r'(?m)^Názov práce:\n\n"',
    "study start": r"(?m)^Rok začiatku štúdia: 20\d\d$",
    "meetings": r"(?m)^#+ Stretnutie \d+\. \d+\. 20\d\d$",
    "list with link": r"(?m)^- [\w ]+: \[[\w ]+\]\(/pages/students/",
    "list without link": r"(?m)^- [\w ]+ : [\w ]+$",
    "list without title": r"(?m)^[-*] \w+ \w+ TBD$",
    "academic year": r"(?m)^# Bakalárske práce 2018/2019$",
    "colon in title": r"(?m)^title: Týždeň 1: Inštalácia$",
    "string block": r"(?m)^published:false$",
    "string block title": r"(?m)^title:NLP$",
    "Slovak date": r"(?m)^date: 15\.2\.2021$",
    "bare year": r"(?m)^date: 2019$",
    "tabs": r"(?m)^\tcategory: ",
    "CRLF": r"\r\n# ",
    "BOM": r"^\ufeff---",
    "zero width": "\u200b",
    "no-break space": "\u00a0",
    "NFD": "a\u0301",
    "glued heading": r"(?m)^##[A-Z]\w",
    "hash in fence": r"```bash\n# ",
    "four backticks": r"(?m)^````",
    "tildes": r"(?m)^~~~",
    "no front matter": r"^[^-\s]",
    "empty groups": r"(?m)^allowed_groups:( \[\])?$",
    "groups": r"(?m)^allowed_groups: \[ucitelia\]$",
    "malformed groups": r"(?m)^allowed_groups: \[ucitelia$",
    "future": r"(?m)^valid_from: 2099-09-01$",
    "past": r"(?m)^valid_to: 2020-06-30$",
    "timestamp": r"(?m)^valid_to: \d{4}-\d\d-\d\dT",
    "malformed date": r"(?m)^valid_(from|to): \D",
    "LFS": r"^version https://git-lfs",
    "long line": r"[^\n]{5000}",
    "long table": r"(\|[^\n]*\|\n){300}",
    "special token": r"<\|endoftext\|>",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_demo_wiki_has_shape(shape: str) -> None:
    assert [path for path, text in PAGES.items() if re.search(SHAPES[shape], text)]


def test_demo_wiki_has_odd_files() -> None:
    modes = {file.mode for file in FILES.values()}
    assert {SYMLINK, SUBMODULE} <= modes
    assert "pages/ň.md".encode() in FILES
    assert any(
        file.content.startswith(b"b0VIM") and b"\0" in file.content for file in FILES.values()
    )
    assert any(not text.isascii() and "\udce8" in text for text in map(decoded, FILES))


def decoded(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def test_demo_wiki_has_empty_pages_and_copies() -> None:
    copies = Counter(file.content for file in FILES.values() if len(file.content) > 50)
    assert max(copies.values()) >= 3
    assert "" in PAGES.values()
    assert any(text and not text.strip() for text in PAGES.values())


def test_demo_wiki_a_fifth_of_the_pages_has_no_front_matter() -> None:
    without = [path for path, text in PAGES.items() if not text.lstrip("\ufeff").startswith("---")]
    assert len(without) >= len(PAGES) / 5


def test_demo_wiki_most_student_pages_have_a_shape_of_their_own() -> None:
    """With words and numbers taken out, what is left of a page is its templates."""
    pages = [text for path, text in PAGES.items() if path.startswith(b"pages/students/2")]
    shapes = {re.sub(r"[^#\n*:„|\[-]+", "x", text) for text in pages}
    assert len(shapes) >= 0.9 * len(pages)
