"""The analyzer: what is a word, what is folded away, and that no string makes it fail."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zp_pipeline.shared.text.analyzer import (
    MAX_QUERY_WORDS,
    MAX_WORD_CHARACTERS,
    analyse,
    fold,
    query_surfaces,
    surfaces,
)

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)  # surrogates and NUL included


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++ a C# aj F#", ["c++", "a", "c#", "aj", "f#"]),
        ("seq2seq, F1-skóre", ["seq2seq", "f1", "skore"]),
        ("v .NET a ASP.NET", ["v", ".net", "net", "a", "asp", "net"]),
        ("15. 4. 2021, o 12:30", ["15", "4", "2021", "o", "12", "30"]),
        ("3,14 verzia 4.7.0 .5", ["3", "14", "verzia", "4", "7", "0", "5"]),
        ("create_fts_index", ["create", "fts", "index"]),
        ("navod.md#instalacia", ["navod", "md", "instalacia"]),
        ("# Úvod\n## Čo je C", ["uvod", "co", "je", "c"]),
        ("o\u00adso\u200dba", ["osoba"]),
        ("Łódź Đurđa straße", ["lodz", "durda", "strasse"]),
        ("\x00 \ud800 ?!+-\"'", []),
    ],
)
def test_analyse_of_text_gives_its_words(text: str, words: list[str]) -> None:
    assert analyse(text) == words


def test_surfaces_keep_diacritics_in_one_form() -> None:
    assert surfaces(unicodedata.normalize("NFD", "ŽIVÝ")) == ["živý"]


def test_surfaces_of_endless_word_are_cut() -> None:
    assert [len(word) for word in surfaces("x" * 10_000)] == [MAX_WORD_CHARACTERS]


def test_query_surfaces_of_repeated_words_keep_the_first_spelling() -> None:
    assert query_surfaces("práca PRACA praca o Práca") == ["práca", "o"]


def test_query_surfaces_of_long_question_are_capped() -> None:
    assert len(query_surfaces(" ".join(map(str, range(500))))) == MAX_QUERY_WORDS


@given(ANY_TEXT)
def test_fold_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(ANY_TEXT)
def test_analyse_of_decomposed_text_is_the_same(text: str) -> None:
    assert analyse(unicodedata.normalize("NFD", text)) == analyse(
        unicodedata.normalize("NFC", text)
    )


@given(ANY_TEXT)
def test_analyse_of_any_text_gives_terms_without_space(text: str) -> None:
    words = analyse(text)
    assert all(words)
    assert all(word.split() == [word] for word in words)
    assert all(word.encode() for word in words)  # a surrogate would raise
