"""Whole pages: every byte string gives a page or a reason, and no text is lost."""

import time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.documents.content_filter import decode
from zp_pipeline.documents.page import Page, SkippedPage, parse_page

ZONE = ZoneInfo("Europe/Bratislava")
PIECES = [
    "---\n",
    "title: ",
    "published: ",
    "allowed_groups: ",
    "valid_to: ",
    "taxonomy:\n",
    "  tag: ",
]
PIECES += [
    "- ",
    "[a, b]",
    "{",
    "}",
    "[",
    "]",
    ": ",
    "&a ",
    "*a",
    "!!x ",
    "|\n",
    ">\n",
    "'",
    '"',
    "#",
    "%",
]
PIECES += [
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\ufeff",
    "\u200b",
    "\u00a0",
    "\u2028",
    "false",
    "2021-02-15",
    "\\x",
]
PIECES += [
    "? ",
    "<<: ",
    "...\n",
    "```\n",
    "===\n",
    "# H\n",
    "author: ",
    "date: ",
    "č",
    "c\u030c",
    "\\ud800",
]


def parse(raw: bytes) -> Page:
    """Return the page that `raw` is."""
    page = parse_page(raw, timezone=ZONE, max_bytes=10_000)
    assert isinstance(page, Page)
    return page


def test_parse_page_reads_everything() -> None:
    page = parse(
        "---\r\ntitle: Práca\r\nauthor: Ján Novák\r\ntaxonomy:\r\n  category: [dp2021]\r\n"
        "  tag: ir\r\ndate: 15.2.2021\r\npublished: no\r\n---\r\n# Nadpis\r\n".encode()
    )
    assert (page.title, page.authors, page.date) == ("Práca", ["Ján Novák"], "2021-02-15")
    assert (page.tags, page.categories) == (["ir"], ["dp2021"])
    assert not page.rights.published
    assert page.text[page.body_start :] == "# Nadpis\n"
    assert [warning.code for warning in page.warnings] == ["crlf"]


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (b"---\ntitle:\n---\n# H1\n", "H1"),
        (b"---\ntitle: [x]\n---\n# H1\n", "H1"),
        (b"# H1\n", "H1"),
        (b"text\n", None),
        (b"", None),
    ],
)
def test_parse_page_title_falls_back_to_the_first_h1(raw: bytes, title: str | None) -> None:
    assert parse(raw).title == title


def test_parse_page_heading_without_space_is_warned_of_at_its_line() -> None:
    page = parse(b"---\na: b\n---\n\n#Nadpis\n")
    assert page.title == "Nadpis"
    assert [(w.code, w.line) for w in page.warnings] == [("heading_without_space", 5)]


def test_parse_page_empty_file_is_a_page_with_a_warning() -> None:
    assert [warning.code for warning in parse(b" \n").warnings] == ["empty_page"]


def test_parse_page_no_page_is_skipped_with_the_reason() -> None:
    page = parse_page(b"\0", timezone=ZONE, max_bytes=10)
    assert isinstance(page, SkippedPage)
    assert page.warnings[0].code == "binary"


@pytest.mark.parametrize(
    "line",
    ["# " + " " * 500_000 + "x", "#" * 500_000, "# " + "[" * 500_000, "`" * 500_000, "\t" * 500_000]
    + [
        "a: " * 200_000,
        "=" * 500_000,
        "---\n" * 100_000,
        "---\n" + "a:\n" * 100_000,
        "\r" * 500_000,
    ],
)
def test_parse_page_long_lines_take_bounded_time(line: str) -> None:
    started = time.process_time()
    page = parse_page(line.encode(), timezone=ZONE, max_bytes=1_000_000)
    assert isinstance(page, Page)
    assert time.process_time() - started < 5


def check(raw: bytes) -> None:
    """Check what holds of every page."""
    page = parse_page(raw, timezone=ZONE, max_bytes=10_000)
    if isinstance(page, SkippedPage):
        assert page.warnings
        return
    assert page.text == decode(raw)[0]
    assert 0 <= page.body_start <= len(page.text)
    assert all(1 <= w.line <= page.text.count("\n") + 1 for w in page.warnings if w.line)
    repr(page).encode()  # no half of a character anywhere: Arrow takes none


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_parse_page_any_bytes_give_a_page_or_a_reason(raw: bytes) -> None:
    check(raw)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40).map("".join))
def test_parse_page_anything_like_front_matter_gives_a_page(text: str) -> None:
    check(("---\n" + text).encode(errors="replace"))
    check(f"---\n{text}\n---\nbody".encode(errors="replace"))


@settings(deadline=None)
@given(st.text(), st.sampled_from(["\n", "\r\n"]))
def test_parse_page_lines_are_those_of_the_file(text: str, end: str) -> None:
    raw = text.replace("\r", "").replace("\0", "").replace("\n", end).encode(errors="replace")
    page = parse(raw)
    assert page.text.count("\n") == raw.count(b"\n")
