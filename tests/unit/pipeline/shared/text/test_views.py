"""The views of a word: which forms of it meet."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.shared.text.analyzer import surfaces
from zp_pipeline.shared.text.views import (
    VIEWS,
    gram_terms,
    lemma_terms,
    prefixes,
    query_prefix,
    stem_terms,
    word_terms,
)


def test_word_terms_are_folded() -> None:
    assert word_terms("prácou") == ["pracou"]


def test_stem_terms_of_declined_name_meet() -> None:
    assert stem_terms("lipovská") == stem_terms("lipovskej") == ["lipov"]


@pytest.mark.parametrize("form", ["prácou", "práce", "prác", "práci"])
def test_lemma_terms_of_declined_word_give_its_dictionary_form(form: str) -> None:
    assert lemma_terms(form) == ["praca"]


def test_gram_terms_mark_the_ends_of_the_word() -> None:
    assert gram_terms("práca") == ["#pra", "prac", "raca", "aca#"]


@pytest.mark.parametrize(("word", "grams"), [("c", ["#c#"]), ("f1", ["#f1#"])])
def test_gram_terms_of_short_word_are_one(word: str, grams: list[str]) -> None:
    assert gram_terms(word) == grams


def test_prefixes_go_from_three_to_ten_characters() -> None:
    found = prefixes("vyhladavanie")
    assert (found[0], found[-1], len(found)) == ("vyh", "vyhladavan", 8)


def test_prefixes_of_short_word_are_itself() -> None:
    assert prefixes("c#") == ["c#"]


@given(st.text(max_size=40))
def test_query_prefix_of_whole_word_is_among_its_prefixes(text: str) -> None:
    for surface in surfaces(text):
        (word,) = word_terms(surface)
        assert query_prefix(word) in prefixes(word)


@settings(deadline=None)  # the first word reads the dictionaries
@given(st.text(st.characters(codec=None), max_size=40))
def test_views_of_any_word_give_terms_without_space(text: str) -> None:
    for surface in surfaces(text):
        terms = [term for view in VIEWS.values() for term in view(surface)]
        assert all(term and term.split() == [term] for term in terms)
