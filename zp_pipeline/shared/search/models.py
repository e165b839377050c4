"""What a search is asked and what it answers, inside the application.

Transports have their own models at their edge. No score is part of an answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass

# From the strictest; `strategy` and `matched_by` use these names.
ALL_TERMS = "all_terms"
PREFIX_TERMS = "prefix_terms"
ANY_TERM = "any_term"
VECTOR = "vector"
TEXT_ARMS = (ALL_TERMS, PREFIX_TERMS, ANY_TERM)
ARMS = (*TEXT_ARMS, VECTOR)

CANDIDATE_LIMIT = "candidate_limit"
PER_DOCUMENT_LIMIT = "per_document_limit"
RESULT_LIMIT = "result_limit"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and when: what decides which pages may be seen."""

    groups: frozenset[str]
    published_only: bool
    now_us: int  # UTC microseconds


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One question. `arms` may be narrowed to ask each way of finding alone."""

    query: str
    limit: int
    max_per_document: int
    caller: Caller
    arms: frozenset[str] = frozenset(ARMS)


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk that was found, with what leads back to its bytes."""

    rank: int  # from 1
    row: int
    chunk_id: str
    path: str
    ordinal: int
    title: str | None
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    heading_path: tuple[str, ...]
    text: str
    char_start: int
    own_start: int
    char_end: int
    first_line: int
    last_line: int
    blob: str
    content_hash: str
    matched_by: tuple[str, ...]  # of ARMS, from the strictest


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What was found, from the best. `strategy` is the strictest arm that found something."""

    hits: tuple[Hit, ...]
    strategy: str | None
    truncation: tuple[str, ...]  # what provably left something out
    timings_ms: Mapping[str, float]  # by arm: text, vector, fusion, fetch
