"""What the passage encoder refuses; its vectors are tested with the real model."""

from pathlib import Path

import pytest

from tests.support.assets import write_tiny_assets
from zp_pipeline.embedding.passages import PassageEncoder
from zp_pipeline.shared.errors import ModelAssetsError, PermanentError


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    return write_tiny_assets(tmp_path / "assets")


def test_encode_input_over_the_limit_is_refused_and_never_cut(assets: Path) -> None:
    encoder = PassageEncoder(assets, 8)

    with pytest.raises(PermanentError, match="has 513 tokens"):
        encoder.encode(["ahoj", "ahoj " * 511])


def test_count_tokens_includes_the_special_ones(assets: Path) -> None:
    assert PassageEncoder(assets, 8).count_tokens(["", "ahoj svet", "ahoj " * 600]) == [2, 4, 602]


def test_open_missing_weights_are_named(assets: Path) -> None:
    (assets / "model" / "tokenizer.json").unlink()

    with pytest.raises(ModelAssetsError, match=r"model/tokenizer\.json is missing"):
        PassageEncoder(assets, 8)


@pytest.mark.parametrize(("folder", "few_inputs"), [("model", 0), ("onnx", 1)])
def test_encode_damaged_file_is_refused_before_it_is_loaded(
    assets: Path, folder: str, few_inputs: int
) -> None:
    encoder = PassageEncoder(assets, 8, few_inputs)
    path = assets / folder / "tokenizer.json"
    path.write_bytes(path.read_bytes().replace(b"strom", b"smrek"))

    with pytest.raises(ModelAssetsError, match=r"tokenizer\.json is not the recorded"):
        encoder.encode(["ahoj"])
