"""Vectors of questions, by onnxruntime, in the space of the passages of the same model."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from zp_pipeline.shared.embedding.model_manifest import ONNX_FOLDER, load_manifest, verify_files
from zp_pipeline.shared.embedding.tokens import MAX_TOKENS, load_tokenizer

QUERY_PREFIX = "query: "
KEPT_VECTORS = 4096


class QueryEncoder:
    """Encodes questions. Safe to call from many threads; the newest vectors are kept.

    A question of more than 512 tokens is cut there, on purpose: at most 2,000 characters come in,
    so only unusual text reaches the limit, and the full-text arm reads all of it.
    """

    def __init__(self, assets: Path, threads: int = 1) -> None:
        """Open the ONNX model of an assets folder; a run of it uses `threads` threads.

        Raises `ModelAssetsError` where a file is missing or is not the recorded one.
        """
        manifest = load_manifest(assets)
        verify_files(assets, manifest, ONNX_FOLDER)
        self.fingerprint = manifest.fingerprint
        self._tokenizer = load_tokenizer(assets / ONNX_FOLDER / "tokenizer.json")
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._session = _open_session(assets / ONNX_FOLDER / "model.onnx", threads)
        self._vector = lru_cache(KEPT_VECTORS)(self._compute)

    def encode(self, query: str) -> NDArray[np.float32]:
        """Return the normalised vector of a question, shape (384,), read-only."""
        return self._vector(_without_surrogates(query))

    def warm_up(self) -> None:
        """Run the model once, so that the first question does not pay for its allocations."""
        self._compute("zahriatie modelu")

    def _compute(self, query: str) -> NDArray[np.float32]:
        ids = np.array([self._tokenizer.encode(QUERY_PREFIX + query).ids], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        (vectors,) = self._session.run(None, feed)
        vector: NDArray[np.float32] = vectors[0]
        vector.flags.writeable = False
        return vector


def _open_session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _without_surrogates(text: str) -> str:
    # The tokenizer takes UTF-8 only; a lone surrogate becomes U+FFFD, which the model ignores.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
