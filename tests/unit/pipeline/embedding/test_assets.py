"""Preparing assets from a tiny model: whole or not at all, once, read-only, and verified."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.support.assets import tiny_tokenizer
from zp_pipeline.embedding.assets import prepare_assets, present_assets, verify_assets
from zp_pipeline.embedding.model_source import Origin
from zp_pipeline.embedding.package_model import MODULES
from zp_pipeline.shared.errors import ModelAssetsError

MODEL, REVISION = "test/tiny", "0"


class TinySource:
    """Writes a BERT of one layer with random weights; fails as told."""

    def __init__(self, hidden: int = 384, fails: bool = False) -> None:
        self.calls = 0
        self._hidden = hidden
        self._fails = fails

    def __call__(self, model: str, revision: str, directory: Path) -> Origin:
        self.calls += 1
        (directory / "1_Pooling").mkdir(parents=True)
        if self._fails:
            raise ModelAssetsError("no such model")
        write_tiny_bert(directory, self._hidden)
        return Origin("package", "tiny 0")


def write_tiny_bert(directory: Path, hidden: int) -> None:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=16, hidden_size=hidden, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=8,
    )  # fmt: skip
    BertModel(config).save_pretrained(directory)
    tiny_tokenizer().save(str(directory / "tokenizer.json"))
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "<unk>"}
    pooling = {"word_embedding_dimension": hidden, "pooling_mode_mean_tokens": True}
    (directory / "tokenizer_config.json").write_text(json.dumps(names))
    (directory / "modules.json").write_text(json.dumps(MODULES))
    (directory / "1_Pooling" / "config.json").write_text(json.dumps(pooling))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("prepared") / "assets"
    prepare_assets(directory, MODEL, REVISION, TinySource())
    return directory


@pytest.fixture
def assets(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "assets"))


def test_prepare_assets_gives_whole_read_only_assets(assets: Path) -> None:
    manifest = verify_assets(assets)

    assert (manifest.model, manifest.revision) == (MODEL, REVISION)
    assert (manifest.source, manifest.package) == ("package", "tiny 0")
    assert {"model/model.safetensors", "onnx/model.onnx", "onnx/model.onnx.data"} < set(
        manifest.files
    )
    assert not any((assets / name).stat().st_mode & 0o222 for name in manifest.files)
    assert not (assets / ".model-staging").exists()


def test_prepare_assets_leaves_no_path_of_this_machine_in_the_graph(assets: Path) -> None:
    graph = (assets / "onnx" / "model.onnx").read_bytes()

    assert os.fsencode(Path.cwd()) not in graph
    assert b'File "' not in graph


def test_prepare_assets_again_does_nothing(assets: Path) -> None:
    source = TinySource()
    (assets / ".model.lock").unlink()

    manifest = prepare_assets(assets, MODEL, REVISION, source)

    assert source.calls == 0
    assert not (assets / ".model.lock").exists()  # nothing was written
    assert manifest == present_assets(assets, MODEL, REVISION)


@pytest.mark.parametrize(("model", "revision"), [("test/other", REVISION), (MODEL, "1")])
def test_prepare_assets_of_another_model_replaces(assets: Path, model: str, revision: str) -> None:
    before = present_assets(assets, MODEL, REVISION)

    manifest = prepare_assets(assets, model, revision, TinySource())

    assert before is not None
    assert manifest.fingerprint != before.fingerprint
    assert present_assets(assets, MODEL, REVISION) is None
    assert verify_assets(assets) == manifest


def test_prepare_assets_after_a_truncation_makes_them_again(assets: Path) -> None:
    path = assets / "model" / "model.safetensors"
    path.chmod(0o644)
    path.write_bytes(b"")

    assert prepare_assets(assets, MODEL, REVISION, TinySource()) == verify_assets(assets)


def test_prepare_assets_touches_nothing_else_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "jre").mkdir()
    (tmp_path / "jre" / "java").write_text("other assets")

    with pytest.raises(ModelAssetsError, match="no such model"):
        prepare_assets(tmp_path, MODEL, REVISION, TinySource(fails=True))

    assert (tmp_path / "jre" / "java").read_text() == "other assets"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".model.lock", "jre"]


def test_prepare_assets_failure_keeps_what_was_there(assets: Path) -> None:
    before = verify_assets(assets)

    with pytest.raises(ModelAssetsError, match="no such model"):
        prepare_assets(assets, "test/other", REVISION, TinySource(fails=True))

    assert verify_assets(assets) == before


def test_prepare_assets_removes_what_a_killed_run_left(assets: Path) -> None:
    (assets / ".model-staging" / "model").mkdir(parents=True)
    (assets / "model-manifest.json").unlink()

    prepare_assets(assets, MODEL, REVISION, TinySource())

    assert not (assets / ".model-staging").exists()
    verify_assets(assets)


def test_prepare_assets_model_of_other_dimensions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelAssetsError, match=r"128.*not 384"):
        prepare_assets(tmp_path, MODEL, REVISION, TinySource(hidden=128))

    assert present_assets(tmp_path, MODEL, REVISION) is None


def test_verify_assets_flipped_byte_is_named(assets: Path) -> None:
    path = assets / "model" / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.chmod(0o644)
    path.write_bytes(content)

    with pytest.raises(ModelAssetsError, match=r"model\.safetensors.*zp assets prepare"):
        verify_assets(assets)
