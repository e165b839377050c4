"""Vectors of passages, by sentence-transformers from the local assets.

Takes finished inputs and refuses what is too long for the model; making them: `segments`. A few
inputs, as a pushed page has, go through the exported model, which gives the same vectors.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.embedding.local_model import open_model
from zp_pipeline.shared.embedding.exported_model import ExportedModel
from zp_pipeline.shared.embedding.model_manifest import (
    MODEL_FOLDER,
    check_sizes,
    load_manifest,
    verify_files,
)
from zp_pipeline.shared.embedding.tokens import (
    MAX_TOKENS,
    TokenCounter,
    load_tokenizer,
    token_counter,
)
from zp_pipeline.shared.errors import PermanentError
from zp_pipeline.shared.schema.tables import EMBEDDING_DIMENSIONS

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

# Up to so many inputs the exported model is used. Importing sentence-transformers takes 14 s on
# two cores, in which either engine encodes a hundred passages; their vectors agree to a cosine
# of .9999.
FEW_INPUTS = 32
EXPORTED_MODEL_THREADS = 2

# Called with the number of inputs done and the number of all.
Progress = Callable[[int, int], None]


class Encoder(Protocol):
    """What the embeddings step needs of an encoder."""

    @property
    def count_tokens(self) -> TokenCounter:
        """Counter of tokens, as the model reads them."""
        ...

    def encode(
        self, inputs: Sequence[str], progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Return normalised vectors, shape (inputs, 384)."""
        ...


class PassageEncoder:
    """Encodes passages; torch and the weights are loaded when there are many for the first time."""

    def __init__(self, assets: Path, batch_size: int, few_inputs: int = FEW_INPUTS) -> None:
        """Read the manifest; more than `few_inputs` at once are encoded by sentence-transformers.

        Raises `ModelAssetsError` where assets are missing or not whole.
        """
        self._manifest = load_manifest(assets)
        check_sizes(assets, self._manifest, MODEL_FOLDER)
        self._assets = assets
        self._batch_size = batch_size
        self._few_inputs = few_inputs
        self.fingerprint = self._manifest.fingerprint

    @cached_property
    def count_tokens(self) -> TokenCounter:
        """Counter of tokens of this model; needs no torch."""
        return token_counter(load_tokenizer(self._assets / MODEL_FOLDER / "tokenizer.json"))

    @cached_property
    def _model(self) -> "SentenceTransformer":
        verify_files(self._assets, self._manifest, MODEL_FOLDER)
        return open_model(self._assets / MODEL_FOLDER)

    @cached_property
    def _exported_model(self) -> ExportedModel:
        return ExportedModel(self._assets, EXPORTED_MODEL_THREADS)

    def encode(
        self, inputs: Sequence[str], progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Return normalised vectors, f32 of shape (inputs, 384), in the order of `inputs`.

        Raises `PermanentError` where an input, which begins with its prefix, is over 512 tokens.
        """
        lengths = self.count_tokens(inputs)
        refuse_too_long(lengths)
        encode_batch = self._encode_few if len(inputs) <= self._few_inputs else self._encode_many
        vectors = np.empty((len(inputs), EMBEDDING_DIMENSIONS), np.float32)
        # Inputs of like length together, so that little of a batch is padding.
        order = sorted(range(len(inputs)), key=lengths.__getitem__, reverse=True)
        for start in range(0, len(order), self._batch_size):
            batch = order[start : start + self._batch_size]
            vectors[batch] = encode_batch([inputs[index] for index in batch])
            if progress:
                progress(start + len(batch), len(order))
        return vectors

    def _encode_few(self, batch: list[str]) -> NDArray[np.float32]:
        return np.stack([self._exported_model.vector(text) for text in batch])

    def _encode_many(self, batch: list[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = self._model.encode(
            batch, batch_size=len(batch), normalize_embeddings=True, show_progress_bar=False
        )
        return vectors


def refuse_too_long(lengths: Sequence[int]) -> None:
    """Raise `PermanentError` where a length, in tokens, is over the limit."""
    longest = max(lengths, default=0)
    if longest > MAX_TOKENS:
        raise PermanentError(f"an input has {longest} tokens, the model reads {MAX_TOKENS}")
