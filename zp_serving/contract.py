"""Contract v1: the models of what comes in and goes out, shared by HTTP, CLI and the tools.

Nothing here searches or knows of HTTP beyond the status numbers of errors. Scores are no part of
it: they count hidden rows.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from zp_pipeline.shared.errors import (
    ArtifactDamaged,
    ArtifactMismatch,
    GenerationUnknown,
    ModelAssetsError,
)
from zp_serving.errors import InternalError, InvalidQuery, Refusal, RetrievalUnavailable

MAX_QUERY_CHARACTERS = 2000

# What keeps a generation from being read is, to a caller, one thing: no retrieval now.
UNREADABLE_GENERATION = (ArtifactDamaged, ArtifactMismatch, GenerationUnknown, ModelAssetsError)

Strategy = Literal["all_terms", "prefix_terms", "any_term", "vector"]
TruncationReason = Literal["candidate_limit", "per_document_limit", "result_limit"]
ErrorReason = Literal[
    "invalid_query",
    "unauthorized",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "too_large",
    "invalid_request",
    "rate_limited",
    "retrieval_unavailable",
    "internal_error",
]
Lines = Annotated[
    tuple[int, int], Field(description="First and last line in the raw file, counted from 1.")
]


class Model(BaseModel):
    """Base of the contract's models: unknown fields are refused, types are exact."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Source(Model):
    """Where a cited span stands. Title and URL are null where unknown, never invented."""

    source_id: str = Field(description="`S1`, `S2`… within one answer.")
    document_path: str
    source_url: str | None
    title: str | None
    commit: str
    blob: str = Field(description="Git object id of the file.")
    lines: Lines
    sha256: str = Field(description="Of the cited span's text in UTF-8.")


class Contract(Model):
    """The fields that every answer and every error has."""

    status: Literal["ok", "no_answer", "ambiguous", "error"]
    reason: str | None = Field(description="Stable machine reason; null on success.")
    sources: list[Source]
    index_version: str | None = Field(description="The generation that was read; null if none.")
    complete: bool | None = Field(description="False when a cut is proven, null when unknown.")
    truncated: bool
    truncation_reasons: list[TruncationReason]


class SearchBody(Model):
    """What `/search` and `zp search` are asked."""

    query: str = Field(
        description="The question, in any form; trimmed before use.",
        json_schema_extra={"minLength": 1, "maxLength": MAX_QUERY_CHARACTERS},
    )
    limit: int = Field(default=10, ge=1, le=50, description="Most results wanted.")
    published_only: bool = Field(
        default=True, description="False adds pages with `published: false`; not for persons."
    )
    max_per_document: int = Field(
        default=3, ge=1, le=20, description="Most results from one document."
    )

    @field_validator("query")
    @classmethod
    def _trim_and_measure(cls, query: str) -> str:
        trimmed = query.strip()
        if not 1 <= len(trimmed) <= MAX_QUERY_CHARACTERS:
            raise PydanticCustomError(InvalidQuery.reason, "empty or too long")
        return trimmed


class SearchResult(Model):
    """One passage that was found, in the order of relevance."""

    rank: int
    source_id: str = Field(description="The entry of `sources` that cites this passage.")
    document_path: str
    title: str | None
    source_url: str | None
    heading_path: list[str]
    text: str
    chunk_id: str
    lines: Lines
    matched_by: list[Strategy] = Field(description="All that found this passage.")


class SearchAnswer(Contract):
    """The answer of `/search` and `zp search`."""

    engine: Literal["hybrid_fts_embeddings"] = "hybrid_fts_embeddings"
    strategy: Strategy | None = Field(
        description="The strictest that found something; null when nothing was found."
    )
    results: list[SearchResult]


class ErrorAnswer(Contract):
    """The one shape of every error."""

    status: Literal["error"] = "error"
    reason: ErrorReason
    sources: list[Source] = []
    index_version: None = None
    complete: Literal[False] = False
    truncated: Literal[False] = False
    truncation_reasons: list[TruncationReason] = []
    detail: str = Field(description="What went wrong, in Slovak, for people.")


@dataclass(frozen=True, slots=True)
class ErrorResult:
    """An error as HTTP status and body; the CLI prints the body alone."""

    http_status: int
    answer: ErrorAnswer


def error_result(error: Exception) -> ErrorResult:
    """Return what a caller is told of `error`; of anything unforeseen only that it happened."""
    refusal = _as_refusal(error)
    answer = ErrorAnswer.model_validate({"reason": refusal.reason, "detail": str(refusal)})
    return ErrorResult(refusal.http_status, answer)


def _as_refusal(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, UNREADABLE_GENERATION):
        return RetrievalUnavailable()
    return InternalError()
