"""Model assets for tests: the real ones, shared by all runs, and tiny ones made in milliseconds.

Tiny assets have the layout and the ONNX interface of real ones; their vectors mean nothing.
"""

import os
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from zp_pipeline.settings import PipelineSettings
from zp_pipeline.shared.embedding.model_manifest import (
    MANIFEST_FILE,
    AssetsManifest,
    file_record,
    model_fingerprint,
)
from zp_pipeline.shared.schema.tables import EMBEDDING_DIMENSIONS

REPOSITORY = Path(__file__).parents[2]
WORDS = ["query", ":", "ahoj", "svet", "práca", "strom"]


def model_assets() -> Path:
    """Return a folder with the default model's assets: `TEST_MODEL_ASSETS`, else `var/assets`.

    Makes them where they are missing, which takes about 40 s.
    """
    from zp_pipeline.embedding.assets import prepare_assets

    directory = Path(os.environ.get("TEST_MODEL_ASSETS") or REPOSITORY / "var" / "assets")
    fields = PipelineSettings.model_fields
    prepare_assets(
        directory, fields["embedding_model"].default, fields["embedding_revision"].default
    )
    return directory


def write_tiny_assets(directory: Path) -> Path:
    """Write assets whose model gives the normalised mean of one random vector per word."""
    for folder in ("model", "onnx"):
        (directory / folder).mkdir(parents=True)
        tiny_tokenizer().save(str(directory / folder / "tokenizer.json"))
    onnx.save(_tiny_graph(), directory / "onnx" / "model.onnx")
    files = {
        path.relative_to(directory).as_posix(): file_record(path)
        for path in sorted(directory.rglob("*.*"))
    }
    manifest = AssetsManifest(
        model="test/tiny",
        revision="0",
        source="package",
        package="tiny 0",
        fingerprint=model_fingerprint(files),
        files=files,
    )
    (directory / MANIFEST_FILE).write_text(manifest.model_dump_json())
    return directory


def tiny_tokenizer() -> Tokenizer:
    """Return a tokenizer of words, with special tokens at both ends as the real one has them."""
    vocabulary = {word: index for index, word in enumerate(["<s>", "</s>", "<unk>", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    return tokenizer


def _tiny_graph() -> onnx.ModelProto:
    rows = len(WORDS) + 3
    table = np.random.default_rng(7).normal(size=(rows, EMBEDDING_DIMENSIONS)).astype(np.float32)
    names = ("input_ids", "attention_mask")
    shape = ["batch", "tokens"]
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["words"]),
            helper.make_node("ReduceMean", ["words"], ["mean"], axes=[1], keepdims=0),
            helper.make_node("LpNormalization", ["mean"], ["sentence_embedding"], axis=-1, p=2),
        ],
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names],
        [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", 384])],
        [numpy_helper.from_array(table, "table")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
