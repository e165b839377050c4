"""The ways of finding candidates for one question, each where it was measured to be fastest.

- `all_terms`, `prefix_terms`: LanceDB full text over pre-tokenised columns, with the rights as a
  prefilter; both side by side take 4 ms at 8,700 chunks.
- `any_term`: the term arrays. They find declined forms and typos as well as the same words, and
  have to be scored for the fusion anyway; LanceDB's OR took 4 ms more.
- `vector`: an exact product in memory; above the limit of `shared.schema.index`, LanceDB's
  approximate index.

Which candidates come first is decided in `ranking`.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from zp_pipeline.shared.search.lance_tables import LanceTables
from zp_pipeline.shared.search.lexical import LexicalScores
from zp_pipeline.shared.search.models import ALL_TERMS, ANY_TERM, PREFIX_TERMS, TEXT_ARMS, VECTOR
from zp_pipeline.shared.search.segment_vectors import SegmentVectors
from zp_pipeline.shared.text.analyzer import fold
from zp_pipeline.shared.text.views import query_prefix

FULL_TEXT_ARMS = (ALL_TERMS, PREFIX_TERMS)
CANDIDATES = 300
# Segments asked of the approximate index: the best of several segments counts for a chunk.
NEAREST_SEGMENTS = 3 * CANDIDATES

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Question:
    """A request as the arms need it: words, vector, and what the caller may see."""

    surfaces: list[str]
    titled: Rows  # of pages with exactly this title, visible ones
    vector: NDArray[np.float32] | None
    arms: frozenset[str]
    where: str
    visible: NDArray[np.bool_]

    @property
    def text_surfaces(self) -> list[str]:
        """The words to look for: none when only vectors are asked."""
        return self.surfaces if self.arms.intersection(TEXT_ARMS) else []

    def asks(self, arm: str) -> bool:
        """Tell whether `arm` is wanted and has something to look for."""
        given = self.vector is not None if arm == VECTOR else bool(self.surfaces)
        return arm in self.arms and given


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates of one arm, and whether there provably were more."""

    rows: Rows
    cut: bool


NOTHING = Found(np.empty(0, np.int64), cut=False)


def start_full_text(tables: LanceTables, question: Question) -> dict[str, Future[pa.Table]]:
    """Start the searches that run in LanceDB, by arm; they go on while others are computed."""
    words = [fold(surface) for surface in question.surfaces]
    terms = {
        ALL_TERMS: ("words", words),
        PREFIX_TERMS: ("prefixes", list(dict.fromkeys(map(query_prefix, words)))),
    }
    return {
        arm: tables.match_all(column, wanted, question.where, CANDIDATES + 1)
        for arm, (column, wanted) in terms.items()
        if question.asks(arm)
    }


def collect(search: Future[pa.Table] | None) -> Found:
    """Wait for a search of LanceDB; the row beyond the limit only proves the cut."""
    if search is None:
        return NOTHING
    table = search.result()
    scores, rows = table["_score"].to_numpy(), table["row"].to_numpy()
    ordered = rows[np.lexsort((rows, -scores))]
    return Found(ordered[:CANDIDATES], cut=len(ordered) > CANDIDATES)


def find_any_term(scores: LexicalScores, question: Question) -> Found:
    """Return the visible rows that share most with the question's words."""
    if not question.asks(ANY_TERM):
        return NOTHING
    return _best(scores.mean, scores.any_term & question.visible)


def find_vectors(
    vectors: SegmentVectors, tables: LanceTables, question: Question, approximate: bool
) -> Found:
    """Return the visible rows nearest to the question's vector."""
    if question.vector is None or not question.asks(VECTOR):
        return NOTHING
    if not approximate:
        return _best(vectors.cosines(question.vector), question.visible)
    nearest = tables.nearest(question.vector, question.where, NEAREST_SEGMENTS).result()
    rows = np.array(list(dict.fromkeys(nearest.sort_by("_distance")["row"].to_pylist())), np.int64)
    return Found(rows[:CANDIDATES], cut=len(rows) > CANDIDATES)


def with_implied(found: Mapping[str, Found], question: Question) -> dict[str, Found]:
    """Return `found` where rows of a stricter text arm are in the looser ones as well.

    A list that was cut may lack them. An exact title has all terms by nature.
    """
    implied = question.titled
    complete = dict(found)
    for arm in filter(question.asks, TEXT_ARMS):
        implied = np.union1d(implied, found[arm].rows)
        complete[arm] = Found(implied, found[arm].cut)
    return complete


def _best(scores: NDArray[np.float32], allowed: NDArray[np.bool_]) -> Found:
    rows = np.flatnonzero(allowed)
    cut = len(rows) > CANDIDATES
    if cut:  # sorting all of 100,000 rows would take as long as the product itself
        bound = np.partition(scores[rows], -CANDIDATES)[-CANDIDATES]
        rows = rows[scores[rows] >= bound]
    return Found(rows[np.lexsort((rows, -scores[rows]))][:CANDIDATES], cut)
