"""The page cache: a hit needs the same step, version and settings; damage is only a miss."""

import sqlite3
from pathlib import Path

import pytest

from zp_pipeline.caching.page_cache import BATCH_KEYS, PageCache


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "pages.sqlite"


def test_get_many_known_gives_values_back(path: Path) -> None:
    cache = PageCache(path, "chunks", "1", {"max": 450})
    cache.put_many({"b1": {"title": "Ž"}, "b2": [1, None]})
    assert cache.get_many(["b1", "b2", "b3"]) == {"b1": {"title": "Ž"}, "b2": [1, None]}


@pytest.mark.parametrize(
    ("step", "version", "settings"),
    [
        ("documents", "1", {"max": 450}),
        ("chunks", "2", {"max": 450}),
        ("chunks", "1", {"max": 451}),
    ],
)
def test_get_many_other_variant_is_a_miss(
    path: Path, step: str, version: str, settings: dict[str, int]
) -> None:
    PageCache(path, "chunks", "1", {"max": 450}).put_many({"b1": 1})
    assert PageCache(path, step, version, settings).get_many(["b1"]) == {}


def test_get_many_damaged_value_is_a_miss(path: Path) -> None:
    cache = PageCache(path, "chunks", "1", {})
    cache.put_many({"b1": "value", "b2": "value"})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE pages SET value = x'00' WHERE blob = 'b1'")
    assert cache.get_many(["b1", "b2"]) == {"b2": "value"}


def test_get_many_more_than_a_batch_finds_all(path: Path) -> None:
    cache = PageCache(path, "chunks", "1", {})
    values = {f"b{number}": number for number in range(BATCH_KEYS * 2 + 1)}
    cache.put_many(values)
    assert cache.get_many(values) == values
