"""The real model: reference cosines, both engines agree, limits hold on any text."""

import itertools
import random
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.assets import model_assets
from zp_pipeline.embedding.assets import verify_assets
from zp_pipeline.embedding.passages import PassageEncoder
from zp_pipeline.embedding.segments import Passage, segment_passages
from zp_pipeline.shared.embedding.model_manifest import load_manifest
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder
from zp_pipeline.shared.errors import PermanentError

QUERIES = [
    "V akom roku robil Ján Holp diplomovú prácu?",
    "strojový preklad slovenčiny",
    "Kto je vedúci práce o rozpoznávaní reči?",
]
PASSAGES = [
    "Ján Holp, diplomová práca 2021, vyhľadávanie informácií a hodnotenie dokumentov",
    "Neurónový strojový preklad slovenského jazyka pomocou Fairseq",
    "Ako citovať v záverečnej práci",
]
# Of the weights in the package, by the package's own engine.
REFERENCE = [[0.888, 0.781, 0.803], [0.834, 0.894, 0.841], [0.826, 0.819, 0.833]]
ODD_TEXTS = [
    "\x00",
    "\ufdfa" * 10,
    "<s> </s> <mask>",
    "e\u0301\u200b\ufeff",
    "▁▁",
    "漢字",
    "🌲👩‍👩‍👧",
]


@pytest.fixture(scope="module")
def assets() -> Path:
    return model_assets()


@cache
def shared_encoder() -> PassageEncoder:
    """One encoder for all: a property test may not ask for a fixture."""
    return PassageEncoder(model_assets(), batch_size=8, few_inputs=0)


@pytest.fixture(scope="module")
def passages() -> PassageEncoder:
    return shared_encoder()


@pytest.fixture(scope="module")
def queries(assets: Path) -> QueryEncoder:
    return QueryEncoder(assets)


def test_verify_assets_prepared_ones_are_whole(assets: Path) -> None:
    assert verify_assets(assets) == load_manifest(assets)


def test_encode_gives_the_reference_cosines(
    assets: Path, passages: PassageEncoder, queries: QueryEncoder
) -> None:
    asked = np.stack([queries.encode(query) for query in QUERIES])
    found = passages.encode([f"passage: {passage}" for passage in PASSAGES])

    exact = load_manifest(assets).source == "package"
    assert np.allclose(asked @ found.T, REFERENCE, atol=6e-4 if exact else 0.05)


def test_encode_by_both_engines_gives_one_vector(
    passages: PassageEncoder, queries: QueryEncoder
) -> None:
    texts = [*QUERIES, *PASSAGES, *ODD_TEXTS, "dlhšia otázka " * 60]

    served = np.stack([queries.encode(text) for text in texts])
    built = passages.encode([f"query: {text}" for text in texts])

    assert (served * built).sum(axis=1).min() > 0.9999


def test_encode_order_and_batch_do_not_change_a_vector(passages: PassageEncoder) -> None:
    texts = [f"passage: {'slovo ' * number}" for number in (1, 90, 3, 40, 2, 7, 120, 5, 60, 11)]

    together = passages.encode(texts)
    alone = np.concatenate([passages.encode([text]) for text in texts])

    assert (together * alone).sum(axis=1).min() > 0.9999
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_encode_few_inputs_gives_the_vectors_of_many(
    assets: Path, passages: PassageEncoder
) -> None:
    texts = [f"passage: {text}" for text in [*PASSAGES, "dlhší úryvok o strojovom preklade " * 40]]

    few = PassageEncoder(assets, batch_size=2, few_inputs=len(texts)).encode(texts)

    assert few.shape == (len(texts), 384)
    assert (few * passages.encode(texts)).sum(axis=1).min() > 0.9999


def test_encode_reports_progress_to_the_end(passages: PassageEncoder) -> None:
    calls: list[tuple[int, int]] = []

    passages.encode(["passage: slovo"] * 10, lambda *call: calls.append(call))

    assert calls == [(8, 10), (10, 10)]


def test_encode_reads_512_tokens_and_refuses_513(passages: PassageEncoder) -> None:
    text = "passage:" + " a" * 508
    assert passages.count_tokens([text, text + " a"]) == [512, 513]

    assert passages.encode([text]).shape == (1, 384)
    with pytest.raises(PermanentError, match="513 tokens"):
        passages.encode([text + " a"])


def test_segment_passages_hard_texts_fit_in_bounded_time(passages: PassageEncoder) -> None:
    letters = random.Random(7)
    base64 = "".join(letters.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij0123456789+/", k=3000))
    hard = [base64, "👩‍👩‍👧🌲" * 300, "\ufdfa" * 400, "a" * 20_000, " \n" * 9000, "漢" * 2000]
    began = time.monotonic()

    for content, segments in zip(hard, segmented(passages, hard), strict=True):
        assert "".join(segments) == content

    assert time.monotonic() - began < 20


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=300), st.text(max_size=40), st.integers(1, 40))
def test_segment_passages_any_text_fits_and_is_conserved(
    text: str, header: str, times: int
) -> None:
    content = text * times

    (segments,) = segmented(shared_encoder(), [content], header)

    assert "".join(segments) == content


def segmented(encoder: PassageEncoder, contents: list[str], header: str = "N") -> list[list[str]]:
    """Return the content parts of each text's segments, having seen that every input fits."""
    passages = [Passage(header, content) for content in contents]
    found = segment_passages(passages, encoder.count_tokens)
    inputs = [segment.text for segment in itertools.chain.from_iterable(found)]
    assert max(encoder.count_tokens(inputs)) <= 512
    return [[segment.content for segment in segments] for segments in found]
