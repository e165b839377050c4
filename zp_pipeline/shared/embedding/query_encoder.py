"""Vectors of questions, in the space of the passages of the same model."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.embedding.exported_model import ExportedModel

QUERY_PREFIX = "query: "
KEPT_VECTORS = 4096
# With two threads instead of one, /search took 26 ms instead of 31 for one client, and eight
# clients had 48 answers a second instead of 53 (two cores).
THREADS = 2


class QueryEncoder:
    """Encodes questions. Safe to call from many threads; the newest vectors are kept.

    A question of more than 512 tokens is cut there, on purpose: at most 2,000 characters come in,
    so only unusual text reaches the limit, and the full-text arm reads all of it.
    """

    def __init__(self, assets: Path, threads: int = THREADS) -> None:
        """Open the model of an assets folder. Raises `ModelAssetsError`."""
        self._model = ExportedModel(assets, threads)
        self.fingerprint = self._model.fingerprint
        self._vector = lru_cache(KEPT_VECTORS)(self._compute)

    def encode(self, query: str) -> NDArray[np.float32]:
        """Return the normalised vector of a question, shape (384,), read-only."""
        return self._vector(_without_surrogates(query))

    def warm_up(self) -> None:
        """Run the model once, so that the first question does not pay for its allocations."""
        self._compute("zahriatie modelu")

    def _compute(self, query: str) -> NDArray[np.float32]:
        vector = self._model.vector(QUERY_PREFIX + query)
        vector.flags.writeable = False
        return vector


def _without_surrogates(text: str) -> str:
    # The tokenizer takes UTF-8 only; a lone surrogate becomes U+FFFD, which the model ignores.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
