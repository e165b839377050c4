"""The token encoding is the original `cl100k_base`, from files, with no special tokens."""

import pytest

from zp_pipeline.shared.text.token_encoding import token_encoding


def test_token_encoding_known_text_gives_original_tokens() -> None:
    assert token_encoding("cl100k_base").encode_ordinary("hello world") == [15339, 1917]


def test_token_encoding_special_token_in_text_is_ordinary_text() -> None:
    tokens = token_encoding("cl100k_base").encode_ordinary("<|endoftext|>")
    assert len(tokens) > 1


def test_token_encoding_asked_twice_is_loaded_once() -> None:
    assert token_encoding("cl100k_base") is token_encoding("cl100k_base")


def test_token_encoding_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        token_encoding("o200k_base")
