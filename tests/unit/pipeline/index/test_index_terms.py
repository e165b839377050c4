"""Term arrays: they score as plain BM25 does, and count only what everyone may see."""

import math
from pathlib import Path

import numpy as np
import pytest

from zp_pipeline.index.terms import K1, B, build_views
from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.search.term_arrays import TermArrays

TEXTS = [["graf", "siet", "siet"], ["graf"], ["uvod", "siet", "graf", "graf"], []]


def plain_bm25(texts: list[list[str]], terms: list[str], row: int) -> float:
    """Return BM25 over the sum of idf, straight from the definition."""
    mean = sum(map(len, texts)) / len(texts)
    score = total = 0.0
    for term in terms:
        frequency = sum(term in text for text in texts)
        idf = math.log(1 + (len(texts) - frequency + 0.5) / (frequency + 0.5))
        count = texts[row].count(term)
        norm = K1 * (1 - B + B * len(texts[row]) / mean)
        score += idf * count * (K1 + 1) / (count + norm)
        total += idf
    return score / total


def words_view(texts: list[list[str]], open_rows: list[bool] | None = None) -> TermArrays:
    """Return the arrays of view `words`; all rows are open unless said."""
    flags = np.array(open_rows if open_rows is not None else [True] * len(texts), np.bool_)
    return build_views(texts, flags)["words"]


@pytest.mark.parametrize("terms", [["graf"], ["siet", "uvod"], ["graf", "nezname"]])
def test_scores_of_terms_equal_plain_bm25(terms: list[str]) -> None:
    scores = words_view(TEXTS).scores(terms, len(TEXTS))
    expected = [plain_bm25(TEXTS, terms, row) for row in range(len(TEXTS))]
    np.testing.assert_allclose(scores, expected, rtol=1e-5)


@pytest.mark.parametrize("terms", [[], ["nezname"]])
def test_scores_of_nothing_known_are_zero(terms: list[str]) -> None:
    assert words_view(TEXTS).scores(terms, len(TEXTS)).tolist() == [0.0] * len(TEXTS)


def test_scores_of_open_rows_do_not_change_with_hidden_ones() -> None:
    hidden = [["siet", "tajne"]] * 5
    flags = [True] * len(TEXTS) + [False] * len(hidden)
    with_hidden = words_view(TEXTS + hidden, flags).scores(["siet", "tajne"], len(flags))
    without = words_view(TEXTS).scores(["siet", "tajne"], len(TEXTS))
    np.testing.assert_array_equal(with_hidden[: len(TEXTS)], without)


def test_scores_when_no_row_is_open_are_finite() -> None:
    scores = words_view(TEXTS, [False] * len(TEXTS)).scores(["siet"], len(TEXTS))
    assert np.isfinite(scores).all()
    assert scores[0] > 0


def test_build_views_of_no_texts_scores_nothing() -> None:
    views = build_views([], np.zeros(0, np.bool_))
    assert {name: len(arrays.scores(["x"], 0)) for name, arrays in views.items()} == dict.fromkeys(
        views, 0
    )


def test_build_views_meets_declined_words_in_stems_and_lemmas() -> None:
    views = build_views([["prácou"]], np.ones(1, np.bool_))
    found = {
        name: float(views[name].scores([term], 1)[0])
        for name, term in [("stems", "praco"), ("lemmas", "praca")]
    }
    assert all(score > 0 for score in found.values())


def test_load_of_saved_arrays_scores_the_same(tmp_path: Path) -> None:
    arrays = words_view(TEXTS)
    arrays.save(tmp_path / "words")
    loaded = TermArrays.load(tmp_path / "words")
    np.testing.assert_array_equal(loaded.scores(["siet"], 4), arrays.scores(["siet"], 4))


def test_load_of_truncated_file_raises(tmp_path: Path) -> None:
    words_view(TEXTS).save(tmp_path)
    (tmp_path / "rows.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(ArtifactDamaged, match=r"rows\.npy"):
        TermArrays.load(tmp_path)
