"""Makes the term arrays of all views from the words of the chunks.

Each view is a function of a single word, so it is asked once per distinct word; the rest is sparse
matrix products (chunks x words) @ (words x terms). The format is `shared.search.term_arrays`.
"""

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from zp_pipeline.shared.search.term_arrays import TermArrays, term_key
from zp_pipeline.shared.text.views import VIEWS

K1 = 1.2
B = 0.75


def build_views(
    texts: Sequence[Sequence[str]], open_rows: NDArray[np.bool_]
) -> dict[str, TermArrays]:
    """Return the term arrays by view, from each chunk's surface words.

    `open_rows` says which chunks are open to everyone: only they count in the statistics.
    """
    surfaces = sorted(set(chain.from_iterable(texts)))
    counts = _count(texts, surfaces)
    return {name: _build(counts, surfaces, view, open_rows) for name, view in VIEWS.items()}


def _build(
    counts: sparse.csr_array,
    surfaces: Sequence[str],
    view: Callable[[str], list[str]],
    open_rows: NDArray[np.bool_],
) -> TermArrays:
    """Return one view's arrays."""
    terms_of = [view(surface) for surface in surfaces]
    terms = sorted(set(chain.from_iterable(terms_of)), key=term_key)
    postings = (counts @ _count(terms_of, terms)).tocsc()
    postings.sort_indices()
    idf, unknown = _idf(np.diff(postings[open_rows].tocsc().indptr), int(open_rows.sum()))
    return TermArrays(
        keys=np.array([term_key(term) for term in terms], np.uint64),
        offsets=postings.indptr.astype(np.int64),
        rows=postings.indices.astype(np.int32),
        impacts=_impacts(postings, open_rows),
        idf=idf,
        unknown_idf=unknown,
    )


def _count(lists: Sequence[Sequence[str]], vocabulary: Sequence[str]) -> sparse.csr_array:
    """Return how often each list has each word, shape (lists, vocabulary)."""
    number = {word: index for index, word in enumerate(vocabulary)}
    columns = np.array([number[word] for words in lists for word in words], np.int64)
    offsets = np.cumsum([0, *map(len, lists)])
    shape = (len(lists), len(vocabulary))
    counts = sparse.csr_array((np.ones(len(columns), np.float32), columns, offsets), shape=shape)
    counts.sum_duplicates()
    return counts


def _impacts(postings: sparse.csc_array, open_rows: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the part of BM25 that does not hang on the question, one per posting."""
    lengths = np.asarray(postings.sum(axis=1)).ravel()
    mean = float(lengths[open_rows].mean()) if open_rows.any() else 1.0
    norms = K1 * (1 - B + B * lengths / max(mean, 1.0))
    saturated = postings.data * (K1 + 1) / (postings.data + norms[postings.indices])
    impacts: NDArray[np.float32] = saturated.astype(np.float32)
    return impacts


def _idf(
    frequencies: NDArray[np.int32], total: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the terms' idf and, in an array of one, that of an unknown term."""
    all_frequencies = np.append(frequencies, 0)
    idf = np.log1p((total - all_frequencies + 0.5) / (all_frequencies + 0.5)).astype(np.float32)
    return idf[:-1], idf[-1:]
