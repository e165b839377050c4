"""The manifest of the model assets: reading it, and finding the file that is at fault."""

from pathlib import Path

import pytest

from tests.support.assets import write_tiny_assets
from zp_pipeline.shared.embedding.model_manifest import (
    MANIFEST_FILE,
    FileRecord,
    check_sizes,
    load_manifest,
    model_fingerprint,
    verify_files,
)
from zp_pipeline.shared.errors import ModelAssetsError


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    return write_tiny_assets(tmp_path / "assets")


def test_verify_files_whole_assets_pass(assets: Path) -> None:
    verify_files(assets, load_manifest(assets))


def test_load_manifest_absent_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(
        ModelAssetsError, match=r"model-manifest\.json is missing.*zp assets prepare"
    ):
        load_manifest(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "{}", '{"schema_version": 2}'])
def test_load_manifest_unreadable_names_the_file(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST_FILE).write_text(content)

    with pytest.raises(ModelAssetsError, match=r"model-manifest\.json cannot be read"):
        load_manifest(tmp_path)


def test_check_sizes_truncated_file_is_named(assets: Path) -> None:
    path = assets / "model" / "tokenizer.json"
    path.write_bytes(path.read_bytes()[:-1])

    with pytest.raises(ModelAssetsError, match=r"model/tokenizer\.json .*size"):
        check_sizes(assets, load_manifest(assets))


def test_verify_files_changed_byte_is_found_where_the_size_is_right(assets: Path) -> None:
    path = assets / "model" / "tokenizer.json"
    path.write_bytes(path.read_bytes().replace(b"ahoj", b"ahoy"))
    manifest = load_manifest(assets)
    check_sizes(assets, manifest)

    with pytest.raises(ModelAssetsError, match=r"model/tokenizer\.json is not the recorded"):
        verify_files(assets, manifest)


def test_verify_files_of_one_folder_ignores_the_other(assets: Path) -> None:
    (assets / "model" / "tokenizer.json").unlink()

    verify_files(assets, load_manifest(assets), "onnx")


def test_model_fingerprint_changes_with_any_model_file_and_only_those() -> None:
    one, other = FileRecord(size=1, sha256="a"), FileRecord(size=1, sha256="b")
    base = {"model/config.json": one, "model/weights": one, "onnx/model.onnx": one}

    fingerprint = model_fingerprint(base)

    assert model_fingerprint(base | {"onnx/model.onnx": other}) == fingerprint
    assert model_fingerprint(base | {"model/weights": other}) != fingerprint
    assert model_fingerprint(base | {"model/config.json": other}) != fingerprint
    assert model_fingerprint(dict(reversed(base.items()))) == fingerprint
