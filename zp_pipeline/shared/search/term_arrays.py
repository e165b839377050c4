"""Postings of one view of the chunks, as arrays that are mapped into memory and scored at once.

Holds the format and the scoring; making the arrays from texts is `zp_pipeline.index.terms`. Scores
stay inside: nothing that is returned to a caller carries them. Document frequencies and the mean
length count only chunks open to everyone, so that no order betrays a hidden page.

BM25 as in Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); its part that does
not hang on the question, the impact, is computed when the index is written.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.errors import ArtifactDamaged


def term_key(term: str) -> int:
    """Return the 64-bit key under which `term` is kept; keys sort fast and need no vocabulary."""
    digest = hashlib.blake2b(term.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


@dataclass(frozen=True, slots=True)
class TermArrays:
    """Postings by column: those of term `i` are at `offsets[i]:offsets[i + 1]`."""

    keys: NDArray[np.uint64]  # of the terms, ascending
    offsets: NDArray[np.int64]  # one more than terms
    rows: NDArray[np.int32]  # of the chunks
    impacts: NDArray[np.float32]  # BM25 without idf, one per posting
    idf: NDArray[np.float32]  # one per term
    unknown_idf: NDArray[np.float32]  # the idf of a term that no chunk has, shape (1,)

    def save(self, directory: Path) -> None:
        """Write one file per array into `directory`, made where needed."""
        directory.mkdir(parents=True, exist_ok=True)
        for field in fields(self):
            np.save(directory / f"{field.name}.npy", getattr(self, field.name))

    @classmethod
    def load(cls, directory: Path) -> Self:
        """Map the arrays under `directory` into memory. Raises `ArtifactDamaged`."""
        return cls(
            **{field.name: load_array(directory / f"{field.name}.npy") for field in fields(cls)}
        )

    def scores(self, terms: Sequence[str], row_count: int) -> NDArray[np.float32]:
        """Return each chunk's BM25 for distinct `terms`, divided by the sum of the terms' idf.

        The division makes questions comparable: about 1 says that everything was found.
        """
        positions, known = self._find(terms)
        unknown = (len(terms) - len(positions)) * float(self.unknown_idf[0])
        total = float(self.idf[positions].sum()) + unknown
        if not known.any() or total <= 0:
            return np.zeros(row_count, np.float32)
        spans = [slice(*self.offsets[position : position + 2]) for position in positions]
        rows = np.concatenate([self.rows[span] for span in spans])
        weights = [
            self.impacts[span] * self.idf[position]
            for span, position in zip(spans, positions, strict=True)
        ]
        sums = np.bincount(rows, np.concatenate(weights), row_count)
        return (sums / total).astype(np.float32)

    def matches(self, terms: Sequence[str], row_count: int) -> NDArray[np.int32]:
        """Return how many of the distinct `terms` each chunk has."""
        positions, _ = self._find(terms)
        rows = [
            self.rows[self.offsets[position] : self.offsets[position + 1]] for position in positions
        ]
        merged = np.concatenate([np.empty(0, np.int32), *rows])
        return np.bincount(merged, minlength=row_count).astype(np.int32)

    def _find(self, terms: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the positions of the terms that are known, and which of `terms` those are."""
        wanted = np.array([term_key(term) for term in terms], np.uint64)
        places = np.searchsorted(self.keys, wanted)
        known = places < len(self.keys)
        known[known] = self.keys[places[known]] == wanted[known]
        return places[known], known


def load_array(path: Path) -> NDArray[Any]:
    """Map one array into memory, read-only. Raises `ArtifactDamaged` when it is not one."""
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ArtifactDamaged(f"index file {path.name} cannot be read: {error}") from None
    return array
