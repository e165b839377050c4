"""What becomes of particular pages: whole blocks, overlaps, merging, the last resorts."""

import pytest

from zp_pipeline.chunking import Chunk, ChunkingSettings, chunk_text
from zp_pipeline.shared.text.token_encoding import token_encoding

SMALL = ChunkingSettings(max_tokens=60, overlap_tokens=15, min_tokens=10)
SENTENCE = "Táto veta má niekoľko slov. "


def own_parts(text: str, chunks: list[Chunk]) -> list[str]:
    """Return the text of the chunks without their overlaps."""
    return [text[chunk.own_start : chunk.char_end] for chunk in chunks]


def tokens(text: str) -> int:
    """Return the tokens of `text`."""
    return len(token_encoding("cl100k_base").encode_ordinary(text))


@pytest.mark.parametrize("body", ["", "\n\n", " \t\n\u00a0\n"])
def test_chunk_text_blank_body_has_no_chunks(body: str) -> None:
    assert chunk_text("---\ntitle: A\n---\n" + body, 17, SMALL) == []


def test_chunk_text_short_page_is_one_chunk_with_its_white_space() -> None:
    text = "---\n---\n\n# Ján Holp\n\nrok 2021\n\n"
    (chunk,) = chunk_text(text, 8, SMALL)
    assert chunk == Chunk(0, ("Ján Holp",), 8, 8, len(text), tokens(text[8:]))


def test_chunk_text_sections_are_not_mixed() -> None:
    text = "# A\n\na\n\n## B\n\nb\n\n## C\n\nc\n"
    chunks = chunk_text(text, 0, SMALL)
    assert own_parts(text, chunks) == ["# A\n\na\n\n", "## B\n\nb\n\n", "## C\n\nc\n"]
    assert [chunk.heading_path for chunk in chunks] == [("A",), ("A", "B"), ("A", "C")]
    assert all(chunk.char_start == chunk.own_start for chunk in chunks)


@pytest.mark.parametrize(
    "block",
    [
        "```python\n" + "x = 1\n" * 8 + "```\n",
        "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 3,
        "- " + SENTENCE * 4 + "\n",
        SENTENCE * 4 + "\n",
    ],
    ids=["fence", "table", "item", "paragraph"],
)
def test_chunk_text_block_that_fits_is_kept_whole(block: str) -> None:
    text = f"# A\n\n{SENTENCE * 4}\n\n{block}\n{SENTENCE * 4}\n"
    assert tokens(block) <= SMALL.max_tokens < tokens(text)
    assert any(block in part for part in own_parts(text, chunk_text(text, 0, SMALL)))


def test_chunk_text_table_too_large_is_cut_at_rows() -> None:
    text = "| meno | rok |\n|---|---|\n" + "| Ján Holp, ktorý písal | 2021 |\n" * 30
    parts = own_parts(text, chunk_text(text, 0, SMALL))
    assert len(parts) > 3
    assert all(part.startswith("| ") and part.endswith("|\n") for part in parts)


def test_chunk_text_code_too_large_is_cut_at_lines() -> None:
    text = "```\n" + "hodnota = spracuj(riadok). Potom\n" * 30 + "```\n"
    parts = own_parts(text, chunk_text(text, 0, SMALL))
    assert len(parts) > 3
    assert all(part.endswith("\n") for part in parts)


def test_chunk_text_paragraph_too_large_is_cut_at_sentences() -> None:
    text = SENTENCE * 30
    parts = own_parts(text, chunk_text(text, 0, SMALL))
    assert len(parts) > 3
    assert all(part.startswith("Táto") and part.endswith("slov. ") for part in parts)


def test_chunk_text_sentence_too_large_is_cut_at_words() -> None:
    text = "slovo a slovo " * 60
    parts = own_parts(text, chunk_text(text, 0, SMALL))
    assert len(parts) > 3
    assert all(part.endswith(" ") and not part.startswith(" ") for part in parts)


def test_chunk_text_word_too_long_is_cut_between_characters() -> None:
    text = "# A\n\n" + "👩\u200d👩\u200d👧" * 40
    first, *rest = own_parts(text, chunk_text(text, 0, SMALL))
    assert first.startswith("# A\n\n👩")
    assert len(rest) > 3
    assert all(part.startswith("👩\u200d👩\u200d👧") for part in rest)


def test_chunk_text_heading_too_long_is_cut_and_path_is_short() -> None:
    text = "# " + "Nadpis " * 200 + "\n\ntext\n"
    chunks = chunk_text(text, 0, SMALL)
    assert max(chunk.token_count for chunk in chunks) <= SMALL.max_tokens
    assert all(len(chunk.heading_path[0]) <= 300 for chunk in chunks)


def test_chunk_text_heading_is_not_left_without_its_table() -> None:
    text = "# Zoznam\n\n|a|\n|-|\n" + "| Ján Holp |\n" * 30
    first = own_parts(text, chunk_text(text, 0, SMALL))[0]
    assert first.startswith("# Zoznam\n\n|a|\n|-|\n| Ján")


def test_chunk_text_overlap_begins_at_sentence_within_limit() -> None:
    text = SENTENCE * 30
    chunks = chunk_text(text, 0, SMALL)
    overlaps = [text[chunk.char_start : chunk.own_start] for chunk in chunks]
    assert overlaps[0] == ""
    assert set(overlaps[1:-1]) == {SENTENCE}
    assert tokens(SENTENCE) <= SMALL.overlap_tokens


def test_chunk_text_without_overlap_repeats_nothing() -> None:
    settings = ChunkingSettings(max_tokens=60, overlap_tokens=0, min_tokens=10)
    chunks = chunk_text(SENTENCE * 30, 0, settings)
    assert all(chunk.char_start == chunk.own_start for chunk in chunks)


def test_chunk_text_small_rest_is_merged_with_the_part_before_it() -> None:
    first, rest = "slovo " * 20, "koniec " * 4
    text = f"# A\n\n{SENTENCE * 4}\n\n{first}\n\n{rest}\n"
    parts = own_parts(text, chunk_text(text, 0, SMALL))
    assert tokens(rest) < SMALL.min_tokens
    assert parts[-1] == f"{first}\n\n{rest}\n"


def test_chunk_text_white_space_after_a_full_chunk_is_not_alone() -> None:
    text = "slovo " * 58 + "slovo" + " \n" * 20
    parts = own_parts(text, chunk_text(text, 0, SMALL))
    assert "".join(parts) == text
    assert all(part.strip() for part in parts)


def test_chunk_text_special_token_is_text() -> None:
    text = "<|endoftext|>" * 30
    chunks = chunk_text(text, 0, SMALL)
    assert "".join(own_parts(text, chunks)) == text
    assert len(chunks) > 3
