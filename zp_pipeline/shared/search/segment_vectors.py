"""The vectors of the chunks' segments, mapped into memory, and their cosines with a question.

Vectors are normalised when they are made, so a product is a cosine. The best segment counts for
its chunk; a chunk without vectors has the cosine `NO_VECTOR`, below any real one.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.search.term_arrays import load_array

NO_VECTOR = -2.0


@dataclass(frozen=True, slots=True)
class SegmentVectors:
    """Segments in the order of their chunks: those of row `i` are `offsets[i]:offsets[i + 1]`."""

    matrix: NDArray[np.float32]  # shape (segments, dimensions)
    offsets: NDArray[np.int64]  # shape (rows + 1,)

    @classmethod
    def load(cls, directory: Path, rows: int, segments: int) -> Self:
        """Map the arrays into memory. Raises `ArtifactDamaged` when they are not of that size."""
        matrix = load_array(directory / "matrix.npy")
        offsets = load_array(directory / "offsets.npy")
        if len(matrix) != segments or len(offsets) != rows + 1:
            raise ArtifactDamaged(
                f"the index maps {len(offsets) - 1} rows to {len(matrix)} vectors"
            )
        return cls(matrix, offsets)

    def cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the best cosine of every row with `vector`, shape (rows,)."""
        return self._best(self.matrix @ vector, np.asarray(self.offsets))

    def cosines_of(
        self, rows: NDArray[np.int64], vector: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the best cosine of the given rows alone, shape (len(rows),)."""
        counts = self.offsets[rows + 1] - self.offsets[rows]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        chosen = np.repeat(self.offsets[rows] - offsets[:-1], counts) + np.arange(offsets[-1])
        return self._best(self.matrix[chosen] @ vector, offsets)

    def covered_rows(self) -> int:
        """Return how many rows have at least one vector."""
        return int((np.diff(self.offsets) > 0).sum())

    @staticmethod
    def _best(similarities: NDArray[np.float32], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
        best = np.full(len(offsets) - 1, NO_VECTOR, np.float32)
        filled = np.diff(offsets) > 0
        # reduceat takes each start up to the next one: starts of empty rows are left out.
        best[filled] = (
            np.maximum.reduceat(similarities, offsets[:-1][filled]) if filled.any() else best[:0]
        )
        return best
