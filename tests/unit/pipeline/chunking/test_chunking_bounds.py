"""Pages made to be slow: time grows with their length only, and the limits hold.

Each takes about a second on an idle core; a quadratic step would take minutes.
"""

import pytest

from zp_pipeline.chunking import ChunkingSettings, chunk_text

MILLION = 1_000_000
MANY = 100_000
SETTINGS = ChunkingSettings()

PAGES = {
    "letter": "a" * MILLION,
    "words": "vedúci práce je " * (MILLION // 16),
    "sentences": "Vedúci je Ján Holp. " * (MILLION // 20),
    "dots": "." * MILLION,
    "spaced dots": ". " * (MILLION // 2),
    "combining": "a" + "\u0301" * MILLION,
    "joined emoji": "👩\u200d" * (MILLION // 2),
    "flags": "🇸🇰" * (MILLION // 2),
    "spaces": "a" + " " * MILLION + "b",
    "line breaks": "a" + "\n" * MILLION + "b",
    "special tokens": "<|endoftext|>" * (MILLION // 13),
    "heading": "# " + "a" * MILLION,
    "code line": "```\n" + "a" * MILLION + "\n```",
    "table row": "|a|\n|-|\n|" + "b" * MILLION + "|",
    "brackets": "[" * MANY,
    "brackets in heading": "# " + "[" * MANY,
    "stars in heading": "# " + "*a" * MANY,
    "quotations": ">" * MANY,
    "backticks": "`" * MANY,
    "stars": "*" * MANY,
    "lists in lists": "- " * MANY,
    "link definitions": '[x]: y "\n' * (MANY // 10),
    "list items": "- a\n" * (MANY // 10),
    "lone headings": "# a\n" * (MANY // 10),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", PAGES)
def test_chunk_text_page_made_to_be_slow_is_bounded(name: str) -> None:
    text = PAGES[name]
    chunks = chunk_text(text, 0, SETTINGS)
    assert "".join(text[chunk.own_start : chunk.char_end] for chunk in chunks) == text
    assert all(chunk.token_count <= SETTINGS.max_tokens for chunk in chunks)
    assert all(len("".join(chunk.heading_path)) <= 300 for chunk in chunks)
