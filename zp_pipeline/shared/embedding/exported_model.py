"""The model as exported to ONNX: one text at a time, by onnxruntime, without torch."""

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from zp_pipeline.shared.embedding.model_manifest import ONNX_FOLDER, load_manifest, verify_files
from zp_pipeline.shared.embedding.tokens import MAX_TOKENS, load_tokenizer


class ExportedModel:
    """Gives the vector of a finished input, prefix included. Safe to call from many threads."""

    def __init__(self, assets: Path, threads: int) -> None:
        """Open the ONNX model of an assets folder; a run of it uses `threads` threads.

        Raises `ModelAssetsError` where a file is missing or is not the recorded one.
        """
        manifest = load_manifest(assets)
        verify_files(assets, manifest, ONNX_FOLDER)
        self.fingerprint = manifest.fingerprint
        self._tokenizer = load_tokenizer(assets / ONNX_FOLDER / "tokenizer.json")
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._session = _open_session(assets / ONNX_FOLDER / "model.onnx", threads)

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return the normalised vector of a text, shape (384,); only 512 tokens of it are read."""
        ids = np.array([self._tokenizer.encode(text).ids], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        (vectors,) = self._session.run(None, feed)
        vector: NDArray[np.float32] = vectors[0]
        return vector


def _open_session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
