"""Order and cut of a result."""

import numpy as np
import pytest

from zp_pipeline.shared.search.models import PER_DOCUMENT_LIMIT, RESULT_LIMIT
from zp_pipeline.shared.search.ranking import fuse, order, select

ROWS = np.array([3, 1, 2, 0])
DOCUMENTS = np.array([7, 7, 8, 7], np.int32)


def test_order_of_equal_scores_is_by_row() -> None:
    scores = np.array([0.5, 0.9, 0.9, 0.5], np.float32)
    assert order(ROWS, scores).tolist() == [1, 2, 0, 3]


NOT_ANY = np.array([False, False])
FIRST = np.array([True, False])


def test_fuse_puts_exact_title_before_any_other() -> None:
    cosines, lexical = np.array([-2.0, 1.0], np.float32), np.array([0.0, 2.2], np.float32)
    scores = fuse(cosines, lexical, titled=FIRST, sole=NOT_ANY)
    assert scores[0] > scores[1]


def test_fuse_of_sole_match_outweighs_a_little_meaning_only() -> None:
    lexical = np.zeros(2, np.float32)
    near = fuse(np.array([0.84, 0.85], np.float32), lexical, titled=NOT_ANY, sole=FIRST)
    far = fuse(np.array([0.80, 0.85], np.float32), lexical, titled=NOT_ANY, sole=FIRST)
    assert near[0] > near[1]
    assert far[0] < far[1]


@pytest.mark.parametrize(
    ("limit", "max_per_document", "rows", "truncation"),
    [
        (4, 4, [3, 1, 2, 0], []),
        (2, 4, [3, 1], [RESULT_LIMIT]),
        (4, 1, [3, 2], [PER_DOCUMENT_LIMIT]),
        (2, 1, [3, 2], [PER_DOCUMENT_LIMIT]),
        (1, 1, [3], [PER_DOCUMENT_LIMIT, RESULT_LIMIT]),
    ],
)
def test_select_within_limits(
    limit: int, max_per_document: int, rows: list[int], truncation: list[str]
) -> None:
    selection = select(ROWS, DOCUMENTS, limit, max_per_document)
    assert (selection.rows, selection.truncation) == (rows, truncation)


def test_select_of_nothing_is_nothing() -> None:
    assert select(ROWS[:0], DOCUMENTS, 10, 3).rows == []
