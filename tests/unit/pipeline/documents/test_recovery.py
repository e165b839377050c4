"""What is still read in a block that is no YAML."""

import time
from typing import Any

import pytest

from zp_pipeline.documents.recovery import recover


@pytest.mark.parametrize(
    ("block", "values"),
    [
        ("title: Týždeň 1: Inštalácia\npublished: false\n", None),
        ("title:NLP\npublished:false", {"title": "NLP", "published": "false"}),
        ("title: 'X\nallowed_groups: [a, b]", {"title": "X", "allowed_groups": ["a", "b"]}),
        ("title: a: b\n  ďalej\n", {"title": "a: b ďalej"}),
        ("x: @y\ntags:\n  - @ir\n  - @nlp\n", {"x": "@y", "tags": ["@ir", "@nlp"]}),
        ("a: b: c\ntaxonomy:\n  tag: [x]\n", {"a": "b: c", "taxonomy": {"tag": ["x"]}}),
        ("a: b: c\ntaxonomy:\n  tag: [x\n  published: no\n", {"a": "b: c", "published": "no"}),
    ],
)
def test_recover_reads_key_by_key(block: str, values: dict[str, Any] | None) -> None:
    expected = values or {"title": "Týždeň 1: Inštalácia", "published": "false"}
    assert recover(block).reading.value == expected


def test_recover_keeps_lines_and_duplicates() -> None:
    reading = recover("title: a: b\ntaxonomy:\n\n  tag: [x]\ntitle: c\n").reading
    assert reading.lines["taxonomy", "tag"] == 4
    assert reading.lines[("title",)] == 1
    assert reading.duplicates == [(("title",), 5, False)]


@pytest.mark.parametrize(
    ("block", "unreadable"),
    [
        ("{title: a: b, published: false, allowed_groups: [x]}", {"published", "allowed_groups"}),
        ("a: b: c\naccess: {valid_to: 2020-01-01}\n", {"valid_to"}),
        ("a: b: c\nallowed_groups:\n  - [x\n  - {y\n", {"allowed_groups"}),
        ("a: b: c\n# allowed_groups: [x]\n", set()),
        ("a: b: c\npublished: false\n", set()),
    ],
)
def test_recover_names_rights_that_cannot_be_read(block: str, unreadable: set[str]) -> None:
    assert recover(block).unreadable == unreadable


def test_recover_tells_lines_that_are_lost() -> None:
    assert recover("title: a: b\ntaxonomy:\n  tag: [x\n  y: {\n").lost_lines == [2]


@pytest.mark.parametrize(
    "block",
    ["- " * 32_000, "a" + " " * 64_000 + "@", "- title: [\n" * 5_000, " " * 64_000 + "title"]
    + ["title: a: b\n" * 5_000, "'a" * 32_000, "published: [\n" * 5_000],
)
def test_recover_hostile_block_takes_bounded_time(block: str) -> None:
    started = time.process_time()
    assert isinstance(recover(block).reading.value, dict)
    assert time.process_time() - started < 5
