"""`zp search`: the service's search in this process, over a generation opened for one question."""

import sys
from collections.abc import Sequence
from contextlib import closing
from textwrap import indent, shorten

from zp_pipeline.shared.errors import ZpError
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.contract import SearchAnswer, SearchBody, SearchResult, error_result
from zp_serving.errors import RetrievalUnavailable
from zp_serving.rag.search import search
from zp_serving.security import CallerContext
from zp_serving.service import build_opener, utc_now
from zp_serving.settings import ServingSettings

EXCERPT_CHARACTERS = 240


def search_published(body: SearchBody, groups: Sequence[str]) -> SearchAnswer:
    """Return the answer for the operator, or for a member of `groups`. Raises our errors."""
    settings = ServingSettings.load()
    store = GenerationStore(settings.home / "store")
    if (pointer := store.pointer()) is None:
        raise RetrievalUnavailable("Ešte nie je zverejnená žiadna generácia.")
    generation = build_opener(settings, store).open(pointer.current)
    with closing(generation.index):
        return search(generation, body, CallerContext(frozenset(groups), False, utc_now()))


def print_error(error: ZpError) -> None:
    """Print the error as the HTTP body, and what it says to an operator on stderr."""
    print(error_result(error).answer.model_dump_json())
    print(f"zp: {error.reason}: {error}", file=sys.stderr)


def describe(answer: SearchAnswer) -> str:
    """Return the answer for reading, in Slovak."""
    if not answer.results:
        return f"Nič sa nenašlo. Generácia {answer.index_version}."
    blocks = [describe_result(result) for result in answer.results]
    cut = f" Neúplné: {', '.join(answer.truncation_reasons)}." if answer.truncated else ""
    return "\n\n".join([*blocks, f"Generácia {answer.index_version}.{cut}"])


def describe_result(result: SearchResult) -> str:
    """Return one result: what it is, where it stands and how it begins."""
    first, last = result.lines
    where = " › ".join([f"{result.document_path}:{first}–{last}", *result.heading_path])
    excerpt = shorten(result.text, EXCERPT_CHARACTERS, placeholder=" …")
    below = [where, excerpt, *([result.source_url] if result.source_url else [])]
    title = result.title or result.document_path
    return f"{result.rank}. {title}\n" + indent("\n".join(below), "   ")
