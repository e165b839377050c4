"""Puts candidates in order and cuts the list: fusion, exact matches first, diversification.

The weights were chosen by `evaluation/benchmarks/ranking_study.py` on its DEV half. A weighted sum
of scores, unlike reciprocal ranks, stayed above both of its arms on every set.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.search.models import PER_DOCUMENT_LIMIT, RESULT_LIMIT

LEXICAL_WEIGHT = 0.1

# More than any two fused scores can differ by: a page with exactly this title comes first.
TITLE_ANCHOR = 10.0

# For the only document that has all words of the question: somebody who knows the words of a page
# finds it. On titles it changed nDCG@10 by -.0003; given to every passage with all words it cost
# .0033, and putting those before all others cost .0147.
SOLE_MATCH_BONUS = 0.02


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows of a result from the best, and what provably left some out."""

    rows: list[int]
    truncation: list[str]


def fuse(
    cosines: NDArray[np.float32],
    lexical: NDArray[np.float32],
    titled: NDArray[np.bool_],
    sole: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Return the candidates' scores; all arguments have one value per candidate.

    `titled` are of a page with exactly this title, `sole` of the only one with all words.
    """
    anchors = TITLE_ANCHOR * titled + SOLE_MATCH_BONUS * sole
    return (cosines + LEXICAL_WEIGHT * lexical + anchors).astype(np.float32)


def order(rows: NDArray[np.int64], scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return `rows` by falling score; ties by row, which is the order of paths and chunks."""
    ordered: NDArray[np.int64] = rows[np.lexsort((rows, -scores))]
    return ordered


def select(
    ordered: NDArray[np.int64], documents: NDArray[np.int32], limit: int, max_per_document: int
) -> Selection:
    """Return the first `limit` rows with at most `max_per_document` of one document.

    `documents` gives the document of every row of the index. The row beyond the limit proves the
    cut and is not returned.
    """
    taken: Counter[int] = Counter()
    rows: list[int] = []
    skipped: list[str] = []
    for row in ordered.tolist():
        document = int(documents[row])
        if taken[document] == max_per_document:
            skipped = [PER_DOCUMENT_LIMIT]
        elif len(rows) == limit:
            return Selection(rows, [*skipped, RESULT_LIMIT])
        else:
            taken[document] += 1
            rows.append(row)
    return Selection(rows, skipped)
