"""What must hold before a generation is published; each check is a pure function of a `Candidate`.

The same checks are shown in Dagster as blocking asset checks and called by publication itself, so
that materialising publication alone cannot get around them. Asking the index (smoke queries and the
access probe) is in `probes`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from zp_pipeline.publication.probes import Encode, Index, access_problems, smoke_problems
from zp_pipeline.shared.generation.manifest import CheckRecord

NAMED_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A finished build before the gate. `published_documents` is None before any publication."""

    documents: pa.Table
    chunks: pa.Table
    embeddings: pa.Table
    index: Index
    encode: Encode
    now_us: int
    published_documents: int | None
    shrink_limit: float
    shrink_accepted: bool


Check = Callable[[Candidate], Iterator[str]]


def documents_have_chunks(candidate: Candidate) -> Iterator[str]:
    """Every document with text has at least one chunk."""
    with_chunks = set(candidate.chunks["path"].to_pylist())
    for path, text, start in _bodies(candidate):
        if path not in with_chunks and text[start:].strip():
            yield f"{path} has text but no chunk"


def text_is_conserved(candidate: Candidate) -> Iterator[str]:
    """The chunks of a document without their overlaps give back its text."""
    own_parts: dict[str, list[str]] = {}
    columns = candidate.chunks.select(["path", "text", "char_start", "own_start"]).to_pydict()
    for path, text, start, own_start in zip(*columns.values(), strict=True):
        own_parts.setdefault(path, []).append(text[own_start - start :])
    for path, text, start in _bodies(candidate):
        if path in own_parts and "".join(own_parts[path]) != text[start:]:
            yield f"the chunks of {path} do not give back its text"


def chunks_have_segments(candidate: Candidate) -> Iterator[str]:
    """Every chunk is covered by at least one embedded segment, and every segment has a chunk."""
    chunk_ids = set(candidate.chunks["chunk_id"].to_pylist())
    embedded = set(candidate.embeddings["chunk_id"].to_pylist())
    for chunk_id in sorted(chunk_ids ^ embedded):
        yield f"{'chunk' if chunk_id in chunk_ids else 'segment of unknown chunk'} {chunk_id}"


def chunk_ids_are_unique(candidate: Candidate) -> Iterator[str]:
    """No two chunks share an id, and every chunk belongs to a document."""
    if pc.count_distinct(candidate.chunks["chunk_id"]).as_py() != candidate.chunks.num_rows:
        yield "chunk ids repeat"
    known = set(candidate.documents["path"].to_pylist())
    for path in sorted(set(candidate.chunks["path"].to_pylist()) - known):
        yield f"chunks of {path}, which is not a document"


def index_covers_every_chunk(candidate: Candidate) -> Iterator[str]:
    """Full text and vectors of the index cover every chunk."""
    for name, count in candidate.index.coverage().items():
        if count != candidate.chunks.num_rows:
            yield f"{name}: {count} chunks in the index, {candidate.chunks.num_rows} in the table"


def wiki_has_not_shrunk(candidate: Candidate) -> Iterator[str]:
    """The documents are not far fewer than those published, unless accepted for this commit."""
    published, present = candidate.published_documents, candidate.documents.num_rows
    if published is None or candidate.shrink_accepted:
        return
    if present < published * candidate.shrink_limit:
        yield f"{present} documents after {published}; accept it with zp rebuild --accept-shrink"


def smoke_queries_find_their_page(candidate: Candidate) -> Iterator[str]:
    """Unique titles of pages open to everyone find their page among the first results."""
    return smoke_problems(
        candidate.documents, candidate.chunks, candidate.index, candidate.encode, candidate.now_us
    )


def hidden_pages_stay_hidden(candidate: Candidate) -> Iterator[str]:
    """No arm finds a page for a caller who may not see it."""
    return access_problems(
        candidate.documents, candidate.chunks, candidate.index, candidate.encode, candidate.now_us
    )


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        documents_have_chunks,
        text_is_conserved,
        chunk_ids_are_unique,
        chunks_have_segments,
        index_covers_every_chunk,
        wiki_has_not_shrunk,
        smoke_queries_find_their_page,
        hidden_pages_stay_hidden,
    )
}


def run_gate(candidate: Candidate) -> list[CheckRecord]:
    """Run every check, the failed ones too, so that a maintainer sees all that is wrong at once."""
    return [_run(name, check, candidate) for name, check in CHECKS.items()]


def _run(name: str, check: Check, candidate: Candidate) -> CheckRecord:
    problems = list(check(candidate))
    shown = "; ".join(problems[:NAMED_PROBLEMS])
    more = len(problems) - NAMED_PROBLEMS
    detail = f"{shown} and {more} more" if more > 0 else shown
    return CheckRecord(name=name, passed=not problems, detail=detail)


def _bodies(candidate: Candidate) -> Iterator[tuple[str, str, int]]:
    columns = candidate.documents.select(["path", "text", "body_start"]).to_pydict()
    return zip(columns["path"], columns["text"], columns["body_start"], strict=True)
