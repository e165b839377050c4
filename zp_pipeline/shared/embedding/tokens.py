"""Counting tokens with the model's own tokenizer, and the limits of the model.

The tokenizer is the `tokenizer.json` of the assets, without its truncation and padding: nothing
here ever shortens a text.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from tokenizers import Tokenizer

# Positions of the model, special tokens included.
MAX_TOKENS = 512

# Numbers of tokens of texts, special tokens included.
TokenCounter = Callable[[Sequence[str]], list[int]]


def load_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a `tokenizer.json`, set to neither truncate nor pad."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def token_counter(tokenizer: Tokenizer) -> TokenCounter:
    """Return a counter of tokens; texts are counted in parallel."""

    def count(texts: Sequence[str]) -> list[int]:
        return [len(encoding) for encoding in tokenizer.encode_batch_fast(list(texts))]

    return count
