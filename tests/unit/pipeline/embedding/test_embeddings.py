"""The embeddings step with a fake encoder: rows, counts, reuse, and what a killed run keeps."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from zp_pipeline.embedding.cache import EmbeddingCache
from zp_pipeline.embedding.embeddings import SAVED_TOGETHER, EmbeddingsResult, build_embeddings
from zp_pipeline.shared.schema.tables import EMBEDDINGS


class FakeEncoder:
    """A vector that tells its input apart; a token per word. Fails after `allowed` inputs."""

    def __init__(self, allowed: int = 10**6) -> None:
        self.inputs: list[str] = []
        self._allowed = allowed

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [2 + len(text.split()) for text in texts]

    def encode(self, inputs: Sequence[str]) -> NDArray[np.float32]:
        self.inputs += inputs
        if len(self.inputs) > self._allowed:
            raise KeyboardInterrupt
        return np.stack([vector_of(text) for text in inputs])


def vector_of(text: str) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])
    return np.random.default_rng(seed).normal(size=384).astype(np.float32)


def documents(**changes: object) -> pa.Table:
    row = {"path": "a.md", "title": "Názov", "authors": ["Ján"], "tags": ["nlp"], "categories": []}
    return pa.Table.from_pylist([row | changes])


def chunks(*texts: str) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {"chunk_id": f"c{number}", "path": "a.md", "heading_path": ["Úvod"], "text": text}
            for number, text in enumerate(texts)
        ]
    )


@pytest.fixture
def cache(tmp_path: Path) -> EmbeddingCache:
    return EmbeddingCache(tmp_path / "embeddings.sqlite", "model")


def counts(result: EmbeddingsResult) -> tuple[int, int, int, int]:
    return result.chunks, result.segments, result.computed, result.reused


def test_build_embeddings_gives_each_chunk_the_vector_of_its_exact_input(
    cache: EmbeddingCache,
) -> None:
    result = build_embeddings(documents(), chunks("prvý", "druhý"), FakeEncoder(), cache)

    expected = [f"passage: Názov\nJán\nnlp\nÚvod\n{text}" for text in ("prvý", "druhý")]
    assert result.table.schema == EMBEDDINGS
    assert result.table["chunk_id"].to_pylist() == ["c0", "c1"]
    assert result.table["input_hash"].to_pylist() == [
        hashlib.sha256(text.encode()).hexdigest() for text in expected
    ]
    assert np.array_equal(result.table["vector"].to_pylist(), [vector_of(t) for t in expected])
    assert counts(result) == (2, 2, 2, 0)


def test_build_embeddings_long_chunk_has_numbered_segments(cache: EmbeddingCache) -> None:
    result = build_embeddings(documents(), chunks("krátky", "slovo " * 900), FakeEncoder(), cache)

    assert result.table["chunk_id"].to_pylist() == ["c0", "c1", "c1"]
    assert result.table["segment"].to_pylist() == [0, 0, 1]
    assert (result.chunks, result.segments) == (2, 3)


def test_build_embeddings_second_time_computes_nothing(cache: EmbeddingCache) -> None:
    tables = documents(), chunks("prvý", "slovo " * 900)
    first = build_embeddings(*tables, FakeEncoder(), cache)
    idle = FakeEncoder()

    second = build_embeddings(*tables, idle, cache)

    assert idle.inputs == []
    assert second.table.equals(first.table)
    assert counts(second) == (2, 3, 0, 3)


def test_build_embeddings_changed_chunk_computes_only_it(cache: EmbeddingCache) -> None:
    build_embeddings(documents(), chunks("prvý", "druhý"), FakeEncoder(), cache)

    result = build_embeddings(documents(), chunks("prvý", "iný"), FakeEncoder(), cache)

    assert counts(result) == (2, 2, 1, 1)


@pytest.mark.parametrize(
    "change", [{"title": "X"}, {"authors": []}, {"tags": ["x"]}, {"categories": ["x"]}]
)
def test_build_embeddings_changed_metadata_computes_again(
    cache: EmbeddingCache, change: dict[str, object]
) -> None:
    build_embeddings(documents(), chunks("prvý"), FakeEncoder(), cache)

    assert build_embeddings(documents(**change), chunks("prvý"), FakeEncoder(), cache).computed == 1


def test_build_embeddings_identical_inputs_are_computed_once(cache: EmbeddingCache) -> None:
    encoder = FakeEncoder()

    result = build_embeddings(documents(), chunks("rovnaký", "rovnaký"), encoder, cache)

    assert len(encoder.inputs) == 1
    assert counts(result) == (2, 2, 1, 1)


def test_build_embeddings_killed_run_keeps_what_it_has_made(cache: EmbeddingCache) -> None:
    table = chunks(*(f"text {number}" for number in range(3 * SAVED_TOGETHER)))
    with pytest.raises(KeyboardInterrupt):
        build_embeddings(documents(), table, FakeEncoder(allowed=2 * SAVED_TOGETHER), cache)

    assert build_embeddings(documents(), table, FakeEncoder(), cache).computed == SAVED_TOGETHER


def test_build_embeddings_reports_progress_to_the_end(cache: EmbeddingCache) -> None:
    table = chunks(*(f"text {number}" for number in range(SAVED_TOGETHER + 1)))
    calls: list[tuple[int, int]] = []

    build_embeddings(documents(), table, FakeEncoder(), cache, lambda *call: calls.append(call))

    assert calls == [(SAVED_TOGETHER, SAVED_TOGETHER + 1), (SAVED_TOGETHER + 1,) * 2]


def test_build_embeddings_no_chunks_give_an_empty_table(cache: EmbeddingCache) -> None:
    result = build_embeddings(documents(), chunks("x").slice(0, 0), FakeEncoder(), cache)

    assert result.table.schema == EMBEDDINGS
    assert counts(result) == (0, 0, 0, 0)
