"""Tokens as a measure of length along one text. Where to cut is decided elsewhere.

Counts of a text's parts do not add up to the count of the whole, so the positions of tokens found
once for the whole text only propose; every answer is the exact count of the very span.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import tiktoken

# Bounds the work that one run without a space can cause inside the encoding.
SLICE_CHARACTERS = 8192
# A span that seems this many times too long is not counted to be refused.
CLEARLY_TOO_LONG = 1.5


class TokenRuler:
    """Measures spans of one text, `[start, end)` in code points."""

    def __init__(self, text: str, start: int, encoding: tiktoken.Encoding) -> None:
        """Measure `text` from `start`; nothing before it will be asked for."""
        self._text = text
        self._encoding = encoding
        self._starts = token_starts(text, start, encoding)
        self._counts: dict[tuple[int, int], int] = {}

    def count(self, start: int, end: int) -> int:
        """Return the tokens of the span alone; special tokens in it are ordinary text."""
        count = self._counts.get((start, end))
        if count is None:
            count = len(self._encoding.encode_ordinary(self._text[start:end]))
            self._counts[start, end] = count
        return count

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Tell whether the span has at most `limit` tokens."""
        if self._index(end) - self._index(start) > limit * CLEARLY_TOO_LONG:
            return False
        return self.count(start, end) <= limit

    def reach(self, start: int, end: int, limit: int) -> int:
        """Return how far up to `end` at most `limit` tokens go; at least one character."""
        room = limit
        while room > 0:
            far = min(end, self._position(self._index(start) + room))
            if far <= start + 1:
                break
            excess = self.count(start, far) - limit
            if excess <= 0:
                return far
            room -= excess
        return start + 1

    def reach_back(self, start: int, end: int, limit: int) -> int:
        """Return where the last `limit` tokens or fewer before `end` begin, not before `start`."""
        room = limit
        while room > 0:
            near = max(start, self._position(self._index(end) - room))
            excess = self.count(near, end) - limit
            if excess <= 0:
                return near
            room -= excess
        return end

    def _index(self, position: int) -> int:
        return int(np.searchsorted(self._starts, position))

    def _position(self, index: int) -> int:
        return int(self._starts[min(max(index, 0), len(self._starts) - 1)])


def token_starts(text: str, start: int, encoding: tiktoken.Encoding) -> npt.NDArray[np.int64]:
    """Return the position of each token of `text[start:]`, and the text's end."""
    tokens: list[int] = []
    for begin in range(start, len(text), SLICE_CHARACTERS):
        tokens += encoding.encode_ordinary(text[begin : begin + SLICE_CHARACTERS])
    lengths = token_lengths(encoding)[np.array(tokens, dtype=np.int64)]
    return np.concatenate(([start], start + np.cumsum(lengths)))


@cache
def token_lengths(encoding: tiktoken.Encoding) -> npt.NDArray[np.int64]:
    """Return how many characters begin in each token of the vocabulary, by token."""
    lengths = np.zeros(encoding.n_vocab, dtype=np.int64)
    for value in encoding.token_byte_values():
        token = encoding.encode_single_token(value)
        # bytes 10xxxxxx continue a character of UTF-8
        lengths[token] = sum(byte & 0xC0 != 0x80 for byte in value)
    return lengths
