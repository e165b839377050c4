"""Searching one index: the arms' candidates, their fusion, and the rows of the result.

Nothing is cached between questions and a search changes nothing, so any number of threads may ask
at once. Verifying the files' hashes before an index is opened is the caller's part, as is to let
the searches under way end before it is closed.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.schema.index import TERMS_FOLDER, VECTORS_FOLDER, IndexFacts
from zp_pipeline.shared.search import arms, ranking
from zp_pipeline.shared.search.arms import Found, Question
from zp_pipeline.shared.search.catalogue import COLUMNS, Catalogue
from zp_pipeline.shared.search.lance_tables import LanceTables
from zp_pipeline.shared.search.lexical import LexicalScores, LexicalViews
from zp_pipeline.shared.search.models import (
    ALL_TERMS,
    ANY_TERM,
    ARMS,
    CANDIDATE_LIMIT,
    VECTOR,
    Hit,
    SearchOutcome,
    SearchRequest,
)
from zp_pipeline.shared.search.segment_vectors import SegmentVectors
from zp_pipeline.shared.search.stopwatch import Stopwatch
from zp_pipeline.shared.search.visibility import filter_for
from zp_pipeline.shared.text.analyzer import query_surfaces

LIST_COLUMNS = ("authors", "tags", "heading_path")
HIT_COLUMNS = (
    *("chunk_id", "path", "ordinal", "title", *LIST_COLUMNS, "text"),
    *("char_start", "own_start", "char_end", "first_line", "last_line", "blob", "content_hash"),
)


class OpenIndex:
    """A read-only handle on the index in one directory."""

    def __init__(self, tables: LanceTables, directory: Path, facts: IndexFacts) -> None:
        """Map the arrays of `directory` beside the opened `tables`; `open` is the way in."""
        self.facts = facts
        self._tables = tables
        self._catalogue = Catalogue.of_table(tables.scan(COLUMNS))
        self._views = LexicalViews.load(directory / TERMS_FOLDER, facts.rows)
        self._vectors = SegmentVectors.load(directory / VECTORS_FOLDER, facts.rows, facts.segments)

    @classmethod
    def open(cls, directory: Path, expected: IndexFacts) -> Self:
        """Open the index. Raises `ArtifactDamaged` when it is not the one that was recorded."""
        tables = LanceTables(directory)
        try:
            tables.verify(expected)
            return cls(tables, directory, expected)
        except ArtifactDamaged:
            tables.close()
            raise

    def search(
        self, request: SearchRequest, query_vector: NDArray[np.float32] | None
    ) -> SearchOutcome:
        """Answer `request`; `query_vector` is normalised, None leaves the vector arm out."""
        watch = Stopwatch()
        question = self._question(request, query_vector)
        lexical, found = self._find(question, watch)
        with watch.measure("fusion"):
            ordered = self._rank(question, lexical, found)
            selection = ranking.select(
                ordered, self._catalogue.documents, request.limit, request.max_per_document
            )
        with watch.measure("fetch"):
            hits = self._fetch(selection.rows, found)
        strategy = next((arm for arm in ARMS if len(found[arm].rows)), None)
        cut = [CANDIDATE_LIMIT] if strategy and found[strategy].cut else []
        return SearchOutcome(hits, strategy, (*cut, *selection.truncation), watch.spent_ms)

    def coverage(self) -> dict[str, int]:
        """Return how many rows each full-text index, and the vectors, cover; the gate compares."""
        return {**self._tables.indexed_rows(), "vectors": self._vectors.covered_rows()}

    def close(self) -> None:
        """Close the database. No search may be under way."""
        self._tables.close()

    def _question(
        self, request: SearchRequest, query_vector: NDArray[np.float32] | None
    ) -> Question:
        visible = self._catalogue.visibility.mask(request.caller)
        titled = self._catalogue.rows_titled(request.query)
        return Question(
            surfaces=query_surfaces(request.query),
            titled=titled[visible[titled]],
            vector=query_vector,
            arms=request.arms,
            where=filter_for(request.caller),
            visible=visible,
        )

    def _find(
        self, question: Question, watch: Stopwatch
    ) -> tuple[LexicalScores, Mapping[str, Found]]:
        """Return every row's lexical score and every arm's candidates."""
        with watch.measure("text"):
            searches = arms.start_full_text(self._tables, question)
            lexical = self._views.score(question.text_surfaces)
        with watch.measure("vector"):
            vectors = arms.find_vectors(
                self._vectors, self._tables, question, self.facts.approximate
            )
        with watch.measure("text"):
            found = {arm: arms.collect(searches.get(arm)) for arm in arms.FULL_TEXT_ARMS}
            found[ANY_TERM] = arms.find_any_term(lexical, question)
        return lexical, arms.with_implied({**found, VECTOR: vectors}, question)

    def _rank(
        self, question: Question, lexical: LexicalScores, found: Mapping[str, Found]
    ) -> NDArray[np.int64]:
        """Return the candidates of all arms from the best."""
        rows = np.unique(np.concatenate([arm.rows for arm in found.values()]))
        cosines = np.zeros(len(rows), np.float32)
        if question.asks(VECTOR) and question.vector is not None:
            cosines = self._vectors.cosines_of(rows, question.vector)
        titled = np.isin(rows, question.titled) & question.asks(ALL_TERMS)
        sole = np.isin(rows, self._sole_match(found[ALL_TERMS].rows))
        return ranking.order(rows, ranking.fuse(cosines, lexical.mean[rows], titled, sole))

    def _sole_match(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return `rows` when they are all of one document, else none."""
        documents = np.unique(self._catalogue.documents[rows])
        return rows if len(documents) == 1 else rows[:0]

    def _fetch(self, rows: Sequence[int], found: Mapping[str, Found]) -> tuple[Hit, ...]:
        """Return the hits of `rows` in that order."""
        records = self._tables.take(rows, HIT_COLUMNS)
        members = {arm: set(candidates.rows.tolist()) for arm, candidates in found.items()}
        return tuple(
            _hit(rank, records[row], tuple(arm for arm in ARMS if row in members[arm]))
            for rank, row in enumerate(rows, 1)
        )


def _hit(rank: int, record: Mapping[str, Any], matched_by: tuple[str, ...]) -> Hit:
    fields = {**record, **{name: tuple(record[name]) for name in LIST_COLUMNS}}
    return Hit(rank=rank, matched_by=matched_by, **fields)
