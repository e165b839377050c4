"""One search over one generation, as the contract tells it. Raises; transports convert."""

from datetime import UTC, datetime, timedelta
from typing import cast

from zp_pipeline.shared.search.models import Caller, Hit, SearchOutcome, SearchRequest
from zp_serving.contract import (
    SearchAnswer,
    SearchBody,
    SearchResult,
    Source,
    Strategy,
    TruncationReason,
)
from zp_serving.errors import Forbidden
from zp_serving.security import CallerContext
from zp_serving.served_generation import ServedGeneration

NO_SOURCES = "no_matching_sources"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def search(generation: ServedGeneration, body: SearchBody, caller: CallerContext) -> SearchAnswer:
    """Return what `caller` may see of `generation` for the question, from the best.

    Raises `Forbidden` when a person asks for unpublished pages.
    """
    if caller.is_person and not body.published_only:
        raise Forbidden
    vector = generation.encoder.encode(body.query)
    outcome = generation.index.search(search_request(body, caller), vector)
    return search_answer(generation, outcome)


def search_request(body: SearchBody, caller: CallerContext) -> SearchRequest:
    """Return the question as the index takes it, its time in UTC microseconds."""
    seen_by = Caller(
        groups=caller.groups,
        published_only=body.published_only,
        now_us=(caller.now - _EPOCH) // timedelta(microseconds=1),
    )
    return SearchRequest(body.query, body.limit, body.max_per_document, seen_by)


def search_answer(generation: ServedGeneration, outcome: SearchOutcome) -> SearchAnswer:
    """Return the outcome in the contract's words; each result is cited by a source of its own."""
    truncation = cast(list[TruncationReason], list(outcome.truncation))
    return SearchAnswer(
        status="ok" if outcome.hits else "no_answer",
        reason=None if outcome.hits else NO_SOURCES,
        sources=[_source(generation, hit) for hit in outcome.hits],
        index_version=generation.manifest.id,
        complete=False if truncation else None,
        truncated=bool(truncation),
        truncation_reasons=truncation,
        strategy=cast(Strategy | None, outcome.strategy),
        results=[_result(generation, hit) for hit in outcome.hits],
    )


def _source(generation: ServedGeneration, hit: Hit) -> Source:
    return Source(
        source_id=_source_id(hit),
        document_path=hit.path,
        source_url=generation.links.url(hit.path),
        title=hit.title,
        commit=generation.manifest.commit,
        blob=hit.blob,
        lines=(hit.first_line, hit.last_line),
        sha256=hit.content_hash,
    )


def _result(generation: ServedGeneration, hit: Hit) -> SearchResult:
    return SearchResult(
        rank=hit.rank,
        source_id=_source_id(hit),
        document_path=hit.path,
        title=hit.title,
        source_url=generation.links.url(hit.path),
        heading_path=list(hit.heading_path),
        text=hit.text,
        chunk_id=hit.chunk_id,
        lines=(hit.first_line, hit.last_line),
        matched_by=cast(list[Strategy], list(hit.matched_by)),
    )


def _source_id(hit: Hit) -> str:
    return f"S{hit.rank}"
