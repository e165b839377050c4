"""The cache of vectors: what it gives back, and that damage only costs a computation."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from zp_pipeline.embedding.cache import EmbeddingCache

VECTORS = {f"{number:064x}": np.full(384, number, np.float32) / 7 for number in range(1200)}
ONE = f"{1:064x}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "embeddings.sqlite"


@pytest.fixture
def cache(path: Path) -> EmbeddingCache:
    return EmbeddingCache(path, "model-a")


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)


def test_get_many_gives_back_exactly_what_was_put(cache: EmbeddingCache) -> None:
    cache.put_many(VECTORS)

    found = cache.get_many([*VECTORS, "unknown"])

    assert found.keys() == VECTORS.keys()
    assert all(np.array_equal(found[key], VECTORS[key]) for key in VECTORS)


def test_get_many_before_anything_was_put_is_empty(cache: EmbeddingCache) -> None:
    assert cache.get_many([ONE]) == {}


def test_put_many_is_seen_by_a_later_run(cache: EmbeddingCache, path: Path) -> None:
    cache.put_many({ONE: VECTORS[ONE]})

    assert ONE in EmbeddingCache(path, "model-a").get_many([ONE])


def test_get_many_of_another_model_is_empty(cache: EmbeddingCache, path: Path) -> None:
    cache.put_many({ONE: VECTORS[ONE]})

    assert EmbeddingCache(path, "model-b").get_many([ONE]) == {}


def test_put_many_again_replaces(cache: EmbeddingCache) -> None:
    cache.put_many({ONE: VECTORS[ONE]})
    cache.put_many({ONE: VECTORS[ONE] * 2})

    assert np.array_equal(cache.get_many([ONE])[ONE], VECTORS[ONE] * 2)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET vector = zeroblob(1536)",
        "UPDATE vectors SET vector = substr(vector, 1, 100)",
        "UPDATE vectors SET checksum = checksum + 1",
        "UPDATE vectors SET model = 'model-b'",
    ],
)
def test_get_many_damaged_row_counts_as_absent(
    cache: EmbeddingCache, path: Path, damage: str
) -> None:
    cache.put_many({ONE: VECTORS[ONE]})
    change(path, damage)

    assert cache.get_many([ONE]) == {}
    assert EmbeddingCache(path, "model-b").get_many([ONE]) == {}


@pytest.mark.parametrize(
    "content", [b"no database at all" * 100, b"SQLite format 3\0" + b"x" * 5000]
)
def test_run_file_that_is_no_database_is_started_anew(
    cache: EmbeddingCache, path: Path, content: bytes
) -> None:
    path.write_bytes(content)

    assert cache.get_many([ONE]) == {}
    cache.put_many({ONE: VECTORS[ONE]})
    assert ONE in cache.get_many([ONE])


def test_run_malformed_pages_are_started_anew(cache: EmbeddingCache, path: Path) -> None:
    cache.put_many(VECTORS)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))

    assert cache.get_many(VECTORS) == {}
    cache.put_many(VECTORS)
    assert cache.get_many(VECTORS).keys() == VECTORS.keys()


def test_run_deleted_file_is_made_again(cache: EmbeddingCache, path: Path) -> None:
    cache.put_many({ONE: VECTORS[ONE]})
    path.unlink()

    assert cache.get_many([ONE]) == {}
