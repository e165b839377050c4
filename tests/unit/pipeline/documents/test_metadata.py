"""Title, people, tags, categories and date, from either form of front matter."""

import pytest

from zp_pipeline.documents.front_matter import FrontMatter, read_front_matter
from zp_pipeline.documents.keys import AUTHOR_KEYS, CATEGORY_KEYS, TAG_KEYS
from zp_pipeline.documents.metadata import one_line, read_date, read_names, read_title


def front(block: str) -> FrontMatter:
    """Return front matter read from a block."""
    return read_front_matter(f"---\n{block}\n---\nText")


def last_warning(read: FrontMatter) -> tuple[str, int | None]:
    """Return code and line of the last warning."""
    return read.warnings[-1].code, read.warnings[-1].line


@pytest.mark.parametrize(
    ("block", "tags"),
    [
        ("tags: [ir, nlp]", ["ir", "nlp"]),
        ("tags: ir, nlp", ["ir", "nlp"]),
        ("tag: ir", ["ir"]),
        ("taxonomy:\n  tag: [ir]\n  tags: nlp", ["ir", "nlp"]),
        ("tags: [IR]\ntaxonomy: {tag: [ir, x]}", ["IR", "x"]),
        ("tags:\n- ' a\u00a0  b '\n- ''\n- ~", ["a b"]),
        ("tags:", []),
        ("taxonomy: [a]", []),
    ],
)
def test_read_names_tags_in_every_form(block: str, tags: list[str]) -> None:
    assert read_names(front(block), TAG_KEYS) == tags


def test_read_names_categories_from_taxonomy() -> None:
    read = front("taxonomy: {category: [dp2021, info]}\ncategory: blog")
    assert read_names(read, CATEGORY_KEYS) == ["blog", "dp2021", "info"]


@pytest.mark.parametrize(
    ("value", "authors"),
    [
        ("Ján Novák", ["Ján Novák"]),
        ("Ing. Ján Novák, PhD.", ["Ing. Ján Novák, PhD."]),
        ("Ján Novák, Eva Malá", ["Ján Novák", "Eva Malá"]),
        ("Ján Novák, CSc.; Eva Malá", ["Ján Novák, CSc.", "Eva Malá"]),
        ("[Ján Novák, Eva Malá]", ["Ján Novák", "Eva Malá"]),
        ("{name: Ján Novák, email: x}", ["Ján Novák"]),
        ("[{name: Ján Novák}]", ["Ján Novák"]),
    ],
)
def test_read_names_authors_in_every_form(value: str, authors: list[str]) -> None:
    assert read_names(front(f"author: {value}"), AUTHOR_KEYS, people=True) == authors
    taxonomy = front(f"taxonomy:\n  author: {value}")
    assert read_names(taxonomy, AUTHOR_KEYS, people=True) == authors


def test_read_names_item_that_is_no_text_is_warned_of() -> None:
    read = front("title: X\ntags: [a, [b]]")
    assert read_names(read, TAG_KEYS) == ["a"]
    assert last_warning(read) == ("metadata_not_text", 3)


@pytest.mark.parametrize(
    ("value", "title"),
    [("X", "X"), ("' A \u00a0 B '", "A B"), ("", None), ("~", None), ("no", "no"), ('"\\0a"', "a")],
)
def test_read_title_is_one_line_or_none(value: str, title: str | None) -> None:
    assert read_title(front(f"title: {value}")) == title


def test_read_title_that_is_no_text_is_warned_of() -> None:
    read = front("a: b\ntitle: [X]")
    assert read_title(read) is None
    assert last_warning(read) == ("metadata_not_text", 3)


def test_read_date_is_iso_or_warned_of() -> None:
    assert read_date(front("date: 15.2.2021")) == "2021-02-15"
    assert read_date(front("date:")) is None
    broken = front("a: b\ndate: vlani")
    assert read_date(broken) is None
    assert last_warning(broken) == ("date_unreadable", 3)


def test_one_line_drops_what_nobody_sees() -> None:
    assert one_line("\u200ba\ufeff\n\tb\x00c\u00a0d ") == "a bc d"
