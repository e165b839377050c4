"""The ruler's proposals are always checked by the exact count."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.chunking.token_ruler import SLICE_CHARACTERS, TokenRuler
from zp_pipeline.shared.text.token_encoding import token_encoding

# The first example loads the vocabulary.
UNTIMED = settings(deadline=None)
ENCODING = token_encoding("cl100k_base")
TEXTS = st.text(alphabet="aá \n.1漢e\u0301👩\u200d🇸", min_size=1, max_size=300)


def exact(text: str) -> int:
    """Return the tokens of `text`, asked from the encoding itself."""
    return len(ENCODING.encode_ordinary(text))


@UNTIMED
@given(TEXTS, st.integers(8, 40), st.data())
def test_reach_any_text_fits_and_advances(text: str, limit: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    far = TokenRuler(text, 0, ENCODING).reach(start, len(text), limit)
    assert start < far <= len(text)
    assert exact(text[start:far]) <= limit


@UNTIMED
@given(TEXTS, st.integers(0, 40), st.data())
def test_reach_back_any_text_fits(text: str, limit: int, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(text)))
    near = TokenRuler(text, 0, ENCODING).reach_back(0, end, limit)
    assert 0 <= near <= end
    assert exact(text[near:end]) <= limit


def test_reach_plain_words_uses_the_room() -> None:
    text = "Vedúci práce je docent Novák. " * 100
    far = TokenRuler(text, 0, ENCODING).reach(0, len(text), 200)
    assert exact(text[:far]) >= 195


def test_reach_text_of_many_slices_uses_the_room_at_its_end() -> None:
    text = "úvod " + "slovo za slovom " * (SLICE_CHARACTERS // 4)
    ruler = TokenRuler(text, 5, ENCODING)
    near = ruler.reach_back(5, len(text), 100)
    assert 90 <= exact(text[near:]) <= 100


@pytest.mark.parametrize("text", ["<|endoftext|>", "a<|fim_prefix|>b"])
def test_count_special_token_is_counted_as_text(text: str) -> None:
    assert TokenRuler(text, 0, ENCODING).count(0, len(text)) == exact(text) > 3


def test_fits_exactly_at_the_limit() -> None:
    ruler = TokenRuler("hello world", 0, ENCODING)
    assert ruler.fits(0, 11, 2)
    assert not ruler.fits(0, 11, 1)
