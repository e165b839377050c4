"""Questions that the gate asks of an index that is not served yet.

Smoke queries show that pages are found; the access probe shows that hidden ones are not. Samples
are drawn by digest, so that the same wiki is always asked the same.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from zp_pipeline.shared.search.models import ARMS, VECTOR, Caller, SearchOutcome, SearchRequest
from zp_pipeline.shared.text.analyzer import analyse

Encode = Callable[[str], NDArray[np.float32]]

SMOKE_QUERIES = 20
SMOKE_RANKS = 5
PROBED_PAGES = 60
PROBE_RANKS = 10  # a page is asked for by its own words: a leak is at the top
SENTENCE_CHARACTERS = 200


class Index(Protocol):
    """What the gate asks of an open index."""

    def search(
        self, request: SearchRequest, query_vector: NDArray[np.float32] | None
    ) -> SearchOutcome:
        """Return what the caller of `request` may see, best first."""

    def coverage(self) -> dict[str, int]:
        """Return how many chunks each way of finding covers."""


@dataclass(frozen=True, slots=True)
class Page:
    """What the probes need of a document."""

    path: str
    title: str | None
    published: bool
    open: bool
    allowed_groups: frozenset[str]
    valid_from_us: int
    valid_to_us: int

    def visible_to(self, caller: Caller) -> bool:
        """Tell whether `caller` may see the page: the rule that the index's filters must follow."""
        return (
            (self.published or not caller.published_only)
            and (self.open or bool(self.allowed_groups & caller.groups))
            and self.valid_from_us <= caller.now_us < self.valid_to_us
        )


def smoke_problems(
    documents: pa.Table, chunks: pa.Table, index: Index, encode: Encode, now_us: int
) -> Iterator[str]:
    """Yield the sampled titles whose page is not among the first `SMOKE_RANKS` results."""
    anyone = Caller(frozenset(), published_only=True, now_us=now_us)
    with_chunks = set(chunks["path"].to_pylist())
    pages = [page for page in read_pages(documents) if page.path in with_chunks]
    for page in sample(uniquely_titled(pages, anyone), SMOKE_QUERIES):
        request = SearchRequest(str(page.title), SMOKE_RANKS, 1, anyone)
        if page.path not in ask(index, encode, request):
            yield f"{page.path} is not among the first {SMOKE_RANKS} for its own title"


def uniquely_titled(pages: Sequence[Page], caller: Caller) -> list[Page]:
    """Return the pages that `caller` may see and that no other page shares its title with.

    Titles that differ only in what the analyzer folds are one question with several right pages.
    """
    keys = {page.path: tuple(analyse(page.title or "")) for page in pages}
    uses = Counter(keys.values())
    return [
        page
        for page in pages
        if keys[page.path] and uses[keys[page.path]] == 1 and page.visible_to(caller)
    ]


def access_problems(
    documents: pa.Table, chunks: pa.Table, index: Index, encode: Encode, now_us: int
) -> Iterator[str]:
    """Ask for hidden pages; yield each that some arm shows to a caller who may not see it."""
    pages = {page.path: page for page in read_pages(documents)}
    groups = frozenset[str]().union(*(page.allowed_groups for page in pages.values()))
    texts = dict(zip(chunks["path"].to_pylist(), chunks["text"].to_pylist(), strict=True))
    anyone = Caller(frozenset(), published_only=True, now_us=now_us)
    hidden = [page for page in pages.values() if not page.visible_to(anyone)]
    for page in sample(hidden, PROBED_PAGES):
        questions = [page.title or "", sentence_of(texts.get(page.path, ""))]
        for request in probes(questions, strangers(page, groups, now_us)):
            for path in ask(index, encode, request):
                if not pages[path].visible_to(request.caller):
                    yield f"{path} is shown by {', '.join(request.arms)}"


def probes(questions: Sequence[str], callers: Sequence[Caller]) -> Iterator[SearchRequest]:
    """Yield every question of every caller to every arm alone."""
    for question, caller, arm in product(questions, callers, ARMS):
        if question:
            yield SearchRequest(question, PROBE_RANKS, 1, caller, frozenset({arm}))


def strangers(page: Page, groups: frozenset[str], now_us: int) -> list[Caller]:
    """Return callers who may not see `page`: without groups, and with all that do not help."""
    asking = (frozenset[str](), groups - page.allowed_groups, groups)
    callers = dict.fromkeys(Caller(mine, True, now_us) for mine in asking)
    return [caller for caller in callers if not page.visible_to(caller)]


def ask(index: Index, encode: Encode, request: SearchRequest) -> list[str]:
    """Return the paths that are found for `request`, best first."""
    vector = encode(request.query) if VECTOR in request.arms else None
    return [hit.path for hit in index.search(request, vector).hits]


def read_pages(documents: pa.Table) -> list[Page]:
    """Return the rights of every document."""
    columns = documents.drop_columns(["text", "front_matter"]).to_pylist()
    return [_page(row) for row in columns]


def sample(pages: Sequence[Page], count: int) -> list[Page]:
    """Return at most `count` pages, always the same ones for the same paths."""
    return sorted(pages, key=lambda page: hashlib.sha256(page.path.encode()).digest())[:count]


def sentence_of(text: str) -> str:
    """Return the longest line of a text, cut to the length of a long question."""
    return max(text.splitlines(), key=len, default="").strip()[:SENTENCE_CHARACTERS]


def _page(row: dict[str, Any]) -> Page:
    return Page(
        path=row["path"],
        title=row["title"],
        published=row["published"],
        open=row["open"],
        allowed_groups=frozenset(row["allowed_groups"]),
        valid_from_us=row["valid_from_us"],
        valid_to_us=row["valid_to_us"],
    )
