"""Documents into chunks: spans of text with a heading path and a bounded number of tokens.

Pure functions of text and settings. Reading front matter belongs to `documents`, the encoder's own
limit and segments to `embedding`.
"""

from zp_pipeline.chunking.chunk import Chunk, ChunkingSettings
from zp_pipeline.chunking.chunk_table import CODE_VERSION, build_chunks
from zp_pipeline.chunking.chunker import chunk_text

__all__ = ["CODE_VERSION", "Chunk", "ChunkingSettings", "build_chunks", "chunk_text"]
