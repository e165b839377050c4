"""The query encoder on a tiny model: prefix, limit, odd text, threads, damage."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.support.assets import write_tiny_assets
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder
from zp_pipeline.shared.errors import ModelAssetsError


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    return write_tiny_assets(tmp_path / "assets")


@pytest.fixture
def encoder(assets: Path) -> QueryEncoder:
    return QueryEncoder(assets)


def test_encode_any_query_gives_a_normalised_vector(encoder: QueryEncoder) -> None:
    vector = encoder.encode("ahoj svet")

    assert vector.shape == (384,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_encode_query_is_read_after_its_prefix(encoder: QueryEncoder) -> None:
    assert not np.allclose(encoder.encode(""), encoder.encode("ahoj"))
    # mean over `<s> query : query : </s>` is that over `<s> query : </s>` only without the prefix
    assert encoder.encode("query:") @ encoder.encode("") < 0.99


def test_encode_same_query_twice_gives_one_read_only_vector(encoder: QueryEncoder) -> None:
    first = encoder.encode("práca")

    assert encoder.encode("práca") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0


def test_encode_text_past_the_limit_is_not_read(encoder: QueryEncoder) -> None:
    # `<s> query :` and 508 words and `</s>` are 512 tokens
    at_limit = encoder.encode("ahoj " * 508)

    assert np.array_equal(encoder.encode("ahoj " * 508 + "strom " * 500), at_limit)
    assert not np.array_equal(encoder.encode("ahoj " * 507 + "strom"), at_limit)


@pytest.mark.parametrize(
    "query", ["", "\x00", "\ud800 ahoj", "ahoj \udfff", "\ufdfa" * 10, "🌲" * 9]
)
def test_encode_odd_text_gives_a_finite_vector(encoder: QueryEncoder, query: str) -> None:
    assert np.isfinite(encoder.encode(query)).all()


def test_encode_lone_surrogate_leaves_the_rest_as_it_is(encoder: QueryEncoder) -> None:
    assert np.array_equal(encoder.encode("\ud800 ahoj"), encoder.encode("\ufffd ahoj"))


def test_encode_from_many_threads_gives_what_one_gives(assets: Path) -> None:
    queries = [f"{word} {'svet ' * number}" for word in ("ahoj", "strom") for number in range(50)]
    alone, shared = QueryEncoder(assets), QueryEncoder(assets, threads=2)
    with ThreadPoolExecutor(8) as pool:
        vectors = list(pool.map(shared.encode, queries))

    for query, vector in zip(queries, vectors, strict=True):
        assert np.allclose(vector, alone.encode(query), atol=1e-6)


def test_warm_up_leaves_answers_unchanged(encoder: QueryEncoder, assets: Path) -> None:
    encoder.warm_up()

    assert np.array_equal(encoder.encode("svet"), QueryEncoder(assets).encode("svet"))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_open_flipped_byte_is_refused_by_name(assets: Path, name: str) -> None:
    path = assets / "onnx" / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)

    with pytest.raises(ModelAssetsError, match=rf"{name}.*zp assets prepare"):
        QueryEncoder(assets)


def test_open_missing_model_is_refused_by_name(assets: Path) -> None:
    (assets / "onnx" / "model.onnx").unlink()

    with pytest.raises(ModelAssetsError, match=r"model\.onnx is missing.*zp assets prepare"):
        QueryEncoder(assets)
