"""Chooses the weights of the ranking on half of a retrieval set and reports the other half.

    python -m evaluation.benchmarks.ranking_study DATASET --assets DIR --cache FILE

All variants are compared on DEV alone. The choice, which stands in
`zp_pipeline.shared.search.ranking`, is then measured through `OpenIndex.search`, as a reader meets
it, beside its arms alone. Reading and indexing a set is `retrieval_set`.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import ir_measures
import numpy as np
from ir_measures import Success, nDCG
from numpy.typing import NDArray

from evaluation.benchmarks.retrieval_set import RetrievalSet, is_dev, read_set, write_set_index
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder
from zp_pipeline.shared.schema.index import TERMS_FOLDER, VECTORS_FOLDER, IndexFacts
from zp_pipeline.shared.search.lexical import LexicalViews
from zp_pipeline.shared.search.models import ARMS, TEXT_ARMS, VECTOR, Caller, SearchRequest
from zp_pipeline.shared.search.open_index import OpenIndex
from zp_pipeline.shared.search.segment_vectors import SegmentVectors
from zp_pipeline.shared.text.analyzer import fold, query_surfaces

MEASURES = (nDCG @ 10, Success @ 1, Success @ 10)
DEPTH = 10
ANYBODY = Caller(groups=frozenset(), published_only=True, now_us=0)

Scored = NDArray[np.float32]
Run = dict[str, dict[str, float]]
Vectors = Mapping[str, Scored]


@dataclass(frozen=True, slots=True)
class Scores:
    """One question against every passage, by everything that a ranking may use."""

    cosines: Scored
    views: Mapping[str, Scored]
    all_words: NDArray[np.bool_]  # has every word of the question

    def mean(self, *names: str) -> Scored:
        """Return the mean of the named views, of all where none is named."""
        mean: Scored = np.stack([self.views[name] for name in names or self.views]).mean(axis=0)
        return mean


Variant = Callable[[Scores], Scored]


def one_view(name: str) -> Variant:
    """Return the ranking by a single view."""
    return lambda scores: scores.views[name]


def weighted(weight: float, *views: str) -> Variant:
    """Return the ranking by cosine plus the weighted mean of views."""
    return lambda scores: scores.cosines + weight * scores.mean(*views)


def anchored(bonus: float, most: int) -> Variant:
    """Return the plain ranking with a bonus for all words, where at most `most` passages do."""
    plain = weighted(0.1)
    return lambda scores: (
        plain(scores) + bonus * scores.all_words * (scores.all_words.sum() <= most)
    )


def standardised(weight: float) -> Variant:
    """Return the sum of both scores, each in deviations from its mean over all passages."""
    return lambda scores: _deviations(scores.cosines) + weight * _deviations(scores.mean())


VARIANTS: Mapping[str, Variant] = {
    **{name: one_view(name) for name in ("words", "stems", "lemmas", "grams")},
    "mean of views": Scores.mean,
    "cosine": lambda scores: scores.cosines,
    **{f"cosine + {weight} x views": weighted(weight) for weight in (0.05, 0.08, 0.1, 0.12, 0.2)},
    "cosine + 0.1 x (words, stems)": weighted(0.1, "words", "stems"),
    "cosine + 0.1 x (words, stems, grams)": weighted(0.1, "words", "stems", "grams"),
    "... + 0.02 for all words": anchored(0.02, most=10**9),
    "... + 10 for all words": anchored(10, most=10**9),
    "... + 0.02 for the only one with all words": anchored(0.02, most=1),
    **{f"deviations + {weight} x those of views": standardised(weight) for weight in (0.5, 1.0)},
}


def main() -> None:
    """Read the arguments, index the set, print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--assets", type=Path, required=True, help="the model's assets folder")
    parser.add_argument("--cache", type=Path, required=True, help="file of known vectors")
    arguments = parser.parse_args()
    dataset = read_set(arguments.dataset)
    encoder = QueryEncoder(arguments.assets)
    vectors = {name: encoder.encode(text) for name, text in dataset.questions.items()}
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        facts = write_set_index(directory, dataset.passages, arguments.assets, arguments.cache)
        compare_variants(directory, facts, dataset, vectors)
        measure_search(directory, facts, dataset, vectors)


def compare_variants(
    directory: Path, facts: IndexFacts, dataset: RetrievalSet, vectors: Vectors
) -> None:
    """Print the measures of every variant on DEV."""
    views = LexicalViews.load(directory / TERMS_FOLDER, facts.rows)
    segments = SegmentVectors.load(directory / VECTORS_FOLDER, facts.rows, facts.segments)
    passages = np.array(sorted(dataset.passages, key=str.encode))
    runs: dict[str, Run] = {name: {} for name in VARIANTS}
    for question in filter(is_dev, dataset.questions):
        scores = _score(views, segments, dataset.questions[question], vectors[question])
        for name, variant in VARIANTS.items():
            runs[name][question] = _best(passages, variant(scores))
    for name, run in runs.items():
        _print_row(f"DEV {name}", dataset, run)


def measure_search(
    directory: Path, facts: IndexFacts, dataset: RetrievalSet, vectors: Vectors
) -> None:
    """Print what `OpenIndex.search` reaches on each half, with all arms and with each kind."""
    index = OpenIndex.open(directory, facts)
    for label, arms in {"hybrid": ARMS, "full text": TEXT_ARMS, "vectors": [VECTOR]}.items():
        spent_ms: list[float] = []
        run = {
            question: _search(index, text, vectors[question], arms, spent_ms)
            for question, text in dataset.questions.items()
        }
        halves = {"DEV": filter(is_dev, run), "TEST": (q for q in run if not is_dev(q)), "all": run}
        for half, questions in halves.items():
            _print_row(f"{half} search, {label}", dataset, {q: run[q] for q in questions})
        print(f"search, {label}: p50 {np.median(spent_ms):.1f} ms without the question's embedding")
    index.close()


def _score(views: LexicalViews, segments: SegmentVectors, text: str, vector: Scored) -> Scores:
    surfaces = query_surfaces(text)
    words = [fold(surface) for surface in surfaces]
    return Scores(
        cosines=segments.cosines(vector),
        views=views.by_view(surfaces),
        all_words=views.arrays["words"].matches(words, views.rows) == len(words),
    )


def _search(
    index: OpenIndex, text: str, vector: Scored, arms: Iterable[str], spent_ms: list[float]
) -> dict[str, float]:
    request = SearchRequest(text, DEPTH, 1, ANYBODY, frozenset(arms))
    start = time.perf_counter()
    hits = index.search(request, vector).hits
    spent_ms.append((time.perf_counter() - start) * 1000)
    return {hit.path: -float(hit.rank) for hit in hits}


def _best(passages: NDArray[np.str_], scores: Scored) -> dict[str, float]:
    best = np.argsort(-scores, kind="stable")[:DEPTH]
    return {str(passages[row]): -float(rank) for rank, row in enumerate(best)}


def _deviations(values: Scored) -> Scored:
    deviations: Scored = (values - values.mean()) / (values.std() + np.float32(1e-9))
    return deviations


def _print_row(label: str, dataset: RetrievalSet, run: Run) -> None:
    judged = {question: dataset.judgements[question] for question in run}
    found = ir_measures.calc_aggregate(MEASURES, judged, run)
    print(f"{label:<50}", "  ".join(f"{measure} {found[measure]:.4f}" for measure in MEASURES))


if __name__ == "__main__":
    main()
