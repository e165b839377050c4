"""Turns text into the words that search works on: the same for pages and for questions.

Holds splitting, folding and the bounds of a query. What is derived from a single word (stems,
lemmas, parts of words) is in `views`; the normalisation of a page's text in `normalisation`.
No function here raises, whatever the string: lone surrogates and NUL separate words.
"""

import re
import unicodedata

MAX_WORD_CHARACTERS = 64
MAX_QUERY_WORDS = 64

# Letters that have no canonical decomposition although readers leave their stroke out.
_STROKES = str.maketrans("łđøħŧı", "ldohti")

# Soft hyphens, joiners and direction marks may stand inside of a word and are no part of it.
_INVISIBLE = dict.fromkeys([0x00AD, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF])

# A letter or digit with its combining marks; `++` and `#` belong to the names of languages and a
# leading dot to those of files and of .NET. A `#` before a letter begins an anchor.
_CHARACTER = r"[^\W_][\u0300-\u036f]*"
_WORD = re.compile(rf"((?<![\w.])\.(?=[^\W\d_]))?((?:{_CHARACTER})+(?:\+\+|#(?!\w))?)")


def surfaces(text: str) -> list[str]:
    """Return the words of `text` in order: NFC, caseless, with diacritics, at most 64 characters.

    A word with a leading dot comes twice, with the dot and without.
    """
    found = []
    for dot, word in _WORD.findall(_caseless(text)):
        if dot:
            found.append(dot + word[: MAX_WORD_CHARACTERS - 1])
        found.append(word[:MAX_WORD_CHARACTERS])
    return found


def fold(text: str) -> str:
    """Return `text` caseless and without diacritics. Folding again changes nothing."""
    decomposed = unicodedata.normalize("NFD", _caseless(text))
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_STROKES)


def analyse(text: str) -> list[str]:
    """Return the folded words of `text` in order."""
    return [fold(word) for word in surfaces(text)]


def query_surfaces(query: str) -> list[str]:
    """Return the first 64 words of a question, each once in whatever spelling came first."""
    by_folded: dict[str, str] = {}
    for word in surfaces(query):
        by_folded.setdefault(fold(word), word)
    return list(by_folded.values())[:MAX_QUERY_WORDS]


def _caseless(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.translate(_INVISIBLE))
    return unicodedata.normalize("NFC", decomposed.casefold())
