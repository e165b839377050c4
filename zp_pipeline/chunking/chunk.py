"""What a chunk is and what it depends on. How chunks are found: `chunker`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """Limits in tokens of `encoding`; `max_tokens` is at least 16 and twice `overlap_tokens`."""

    max_tokens: int = 450
    overlap_tokens: int = 70
    min_tokens: int = 80
    encoding: str = "cl100k_base"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document's text, offsets in code points.

    `[char_start, own_start)` repeats the end of the previous chunk and may be empty;
    `[own_start, char_end)` belongs to this chunk alone. `token_count` measures both together.
    """

    ordinal: int
    heading_path: tuple[str, ...]
    char_start: int
    own_start: int
    char_end: int
    token_count: int
