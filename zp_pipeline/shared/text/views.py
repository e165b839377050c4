"""What search derives from a single word: the views in which a question and a page may meet.

Each view is a function from one surface word to its terms, so that an index can be made from the
words of all pages once each. Splitting text into words is in `analyzer`; the Slovak and Czech
dictionaries behind the lemmas are in `lemmas`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from zp_pipeline.shared.text.analyzer import fold
from zp_pipeline.shared.text.lemmas import lemma

STEM_CHARACTERS = 5
GRAM_CHARACTERS = 4
PREFIX_CHARACTERS = range(3, 11)


def word_terms(surface: str) -> list[str]:
    """Return the folded word itself."""
    return [fold(surface)]


def stem_terms(surface: str) -> list[str]:
    """Return the first five characters of the folded word: a plain stemmer for Slovak."""
    return [fold(surface)[:STEM_CHARACTERS]]


def lemma_terms(surface: str) -> list[str]:
    """Return the folded dictionary form of the word."""
    return [fold(lemma(surface))]


def gram_terms(surface: str) -> list[str]:
    """Return the 4-grams of the folded word between `#` marks; a short word is one gram."""
    marked = f"#{fold(surface)}#"
    count = max(1, len(marked) - GRAM_CHARACTERS + 1)
    return [marked[start : start + GRAM_CHARACTERS] for start in range(count)]


def prefixes(word: str) -> list[str]:
    """Return the beginnings of a folded word, of 3 to 10 characters; a shorter word is its own."""
    longest = min(len(word), PREFIX_CHARACTERS[-1])
    return [word[:size] for size in range(PREFIX_CHARACTERS[0], longest + 1)] or [word]


def query_prefix(word: str) -> str:
    """Return the term under which `prefixes` filed the words that begin with `word`."""
    return word[: PREFIX_CHARACTERS[-1]]


VIEWS: Mapping[str, Callable[[str], list[str]]] = MappingProxyType(
    {"words": word_terms, "stems": stem_terms, "lemmas": lemma_terms, "grams": gram_terms}
)
