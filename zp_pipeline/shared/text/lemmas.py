"""Dictionary forms of Slovak and Czech words, from simplemma's lists. Nothing else knows them."""

import simplemma

LANGUAGES = ("sk", "cs")


def lemma(surface: str) -> str:
    """Return the dictionary form of a caseless word with diacritics, itself where it has none.

    The first call of a process reads the dictionaries, which takes most of a second.
    """
    form: str = simplemma.lemmatize(surface, lang=LANGUAGES)
    return form
