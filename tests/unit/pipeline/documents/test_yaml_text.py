"""YAML with scalars as text, within bounds."""

import time

import pytest

from zp_pipeline.documents.yaml_text import YamlUnreadable, read_yaml


@pytest.mark.parametrize(
    "scalar",
    ["no", "yes", "1.5", "12:30", "0o17", "1_000", "2021-02-15", "null", "~", "0x1F", "1e3"],
)
def test_read_yaml_scalar_stays_as_written(scalar: str) -> None:
    assert read_yaml(f"a: {scalar}\nb: [{scalar}]").value == {"a": scalar, "b": [scalar]}


def test_read_yaml_notes_lines_of_keys_by_path() -> None:
    reading = read_yaml("a: b\n\nc:\n  - x\n  - d: y\n# e\nf: {g: h}\n")
    assert reading.lines[("c",)] == 3
    assert reading.lines["c", "1", "d"] == 5
    assert reading.lines["f", "g"] == 7


def test_read_yaml_duplicate_keeps_the_first_and_notes_it() -> None:
    reading = read_yaml("a: 1\nb: 2\na: 3\nb: 2\n")
    assert reading.value == {"a": "1", "b": "2"}
    assert reading.duplicates == [(("a",), 3, False), (("b",), 4, True)]


def test_read_yaml_known_key_is_found_however_spelled() -> None:
    reading = read_yaml("Title: x\nAllowed-Groups: [a]\nOther: y\n")
    assert reading.value == {"title": "x", "allowed_groups": ["a"], "Other": "y"}
    assert reading.respelled == [("title", 1), ("allowed_groups", 2)]


def test_read_yaml_notes_plain_scalars_that_others_would_convert() -> None:
    reading = read_yaml("a: no\nb: 'no'\nc: [12:30, word, 1.50]\n")
    assert [(line, text) for _, line, text in reading.traps] == [
        (1, "no"),
        (3, "12:30"),
        (3, "1.50"),
    ]


def test_read_yaml_alias_stands_for_its_value() -> None:
    assert read_yaml("a: &x [1, 2]\nb: *x\n").value == {"a": ["1", "2"], "b": ["1", "2"]}


@pytest.mark.parametrize(
    "block",
    [
        "a: [",
        "a: b: c",
        "\ta: b",
        "? [a]\n: b",
        "a: *nothing",
        "a: &x [*x]",
        "--- a\n--- b",
        "a: @b",
    ]
    + [
        "a: 'b",
        "<<: {a: b}",
        'a: "\\UFFFFFFFF"',
        'a: "\\ud800"',
        "%YAML 9\n---\na: b",
        "a: !x!y b",
    ],
)
def test_read_yaml_what_is_not_read_is_one_error(block: str) -> None:
    with pytest.raises(YamlUnreadable) as caught:
        read_yaml(block)
    assert caught.value.line >= 1
    assert str(caught.value)


def bomb() -> str:
    """Return aliases of aliases that stand for a thousand million values."""
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return "\n".join(["a0: &a0 [x]", *levels])


@pytest.mark.parametrize(
    "block",
    [
        bomb(),
        f"a: &a {'x' * 30_000}\nb: [" + "*a, " * 8_000 + "]",
        "[" * 60_000,
        "{a: " * 15_000,
        "- " * 30_000,
        "? " * 30_000,
        "a: [" + "b, " * 20_000,
    ]
    + ["".join(f"{' ' * n}a:\n" for n in range(330)), "&a " * 20_000, "!a " * 20_000, "'" * 60_001],
)
def test_read_yaml_hostile_block_is_refused_soon(block: str) -> None:
    started = time.process_time()
    with pytest.raises(YamlUnreadable):
        read_yaml(block)
    assert time.process_time() - started < 5
