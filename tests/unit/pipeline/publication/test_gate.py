"""Every check of the gate: it passes on a sound build and names what is wrong with a broken one."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from tests.support.generations import document, documents_table
from zp_pipeline.publication.gate import CHECKS, Candidate, run_gate
from zp_pipeline.publication.probes import read_pages
from zp_pipeline.shared.schema.tables import CHUNKS, EMBEDDINGS
from zp_pipeline.shared.search.models import Hit, SearchOutcome, SearchRequest

NOW_US = 1_000
TEACHERS = {"open": False, "allowed_groups": ["ucitelia"]}


@dataclass
class FakeIndex:
    """Finds pages by a word of their title, and keeps the rights unless it is told to leak."""

    documents: pa.Table
    chunk_count: int
    leaks: bool = False
    blind: bool = False
    asked: list[SearchRequest] = field(default_factory=list)

    def search(
        self, request: SearchRequest, query_vector: NDArray[np.float32] | None
    ) -> SearchOutcome:
        self.asked.append(request)
        pages = [
            page
            for page in read_pages(self.documents)
            if self.leaks or page.visible_to(request.caller)
        ]
        found = [page.path for page in pages if page.title in request.query and not self.blind]
        return SearchOutcome(tuple(hit(path) for path in found), "all_terms", (), {})

    def coverage(self) -> dict[str, int]:
        return {"words": self.chunk_count, "vectors": self.chunk_count}


def hit(path: str) -> Hit:
    values: dict[str, Any] = dict.fromkeys(Hit.__dataclass_fields__)
    return Hit(**{**values, "path": path})


def sound(*rows: dict[str, Any]) -> Candidate:
    """A build of the given pages in which everything holds."""
    documents = documents_table(*rows)
    chunks = [chunk(row["path"], row["text"]) for row in rows if row["text"].strip()]
    segments = [
        {"chunk_id": row["chunk_id"], "segment": 0, "input_hash": "h", "vector": [0.0] * 384}
        for row in chunks
    ]
    return Candidate(
        documents=documents,
        chunks=pa.Table.from_pylist(chunks, schema=CHUNKS),
        embeddings=pa.Table.from_pylist(segments, schema=EMBEDDINGS),
        index=FakeIndex(documents, len(chunks)),
        encode=lambda query: np.zeros(384, np.float32),
        now_us=NOW_US,
        published_documents=None,
        shrink_limit=0.5,
        shrink_accepted=False,
    )


def chunk(path: str, text: str) -> dict[str, Any]:
    return {
        "chunk_id": f"id of {path}",
        "path": path,
        "ordinal": 0,
        "heading_path": [],
        "text": text,
        "char_start": 0,
        "own_start": 0,
        "char_end": len(text),
        "first_line": 1,
        "last_line": 1,
        "token_count": 1,
        "content_hash": "h",
    }


def failed(candidate: Candidate) -> dict[str, str]:
    return {check.name: check.detail for check in run_gate(candidate) if not check.passed}


PAGES = (
    document("a.md", title="Alfa"),
    document("b.md", title="Beta", **TEACHERS),
    document("empty.md", text=""),
)


def test_run_gate_sound_build_passes_every_check() -> None:
    assert failed(sound(*PAGES)) == {}
    assert [check.name for check in run_gate(sound(*PAGES))] == list(CHECKS)


def without_first_chunk(candidate: Candidate) -> Candidate:
    return replace(
        candidate, chunks=candidate.chunks.slice(1), embeddings=candidate.embeddings.slice(1)
    )


def with_cut_text(candidate: Candidate) -> Candidate:
    rows = candidate.chunks.to_pylist()
    rows[0]["text"] = rows[0]["text"][:-1]
    return replace(candidate, chunks=pa.Table.from_pylist(rows, schema=CHUNKS))


def with_twin_chunk(candidate: Candidate) -> Candidate:
    return replace(
        candidate, chunks=pa.concat_tables([candidate.chunks, candidate.chunks.slice(0, 1)])
    )


def without_first_segment(candidate: Candidate) -> Candidate:
    return replace(candidate, embeddings=candidate.embeddings.slice(1))


def with_short_index(candidate: Candidate) -> Candidate:
    return replace(candidate, index=FakeIndex(candidate.documents, candidate.chunks.num_rows - 1))


def with_shrunken_wiki(candidate: Candidate) -> Candidate:
    return replace(candidate, published_documents=7)


def with_blind_index(candidate: Candidate) -> Candidate:
    return replace(
        candidate, index=FakeIndex(candidate.documents, candidate.chunks.num_rows, blind=True)
    )


def with_leaking_index(candidate: Candidate) -> Candidate:
    return replace(
        candidate, index=FakeIndex(candidate.documents, candidate.chunks.num_rows, leaks=True)
    )


@pytest.mark.parametrize(
    ("breakage", "check", "named"),
    [
        (without_first_chunk, "documents_have_chunks", "a.md"),
        (with_cut_text, "text_is_conserved", "a.md"),
        (with_twin_chunk, "chunk_ids_are_unique", "repeat"),
        (without_first_segment, "chunks_have_segments", "id of a.md"),
        (
            with_short_index,
            "index_covers_every_chunk",
            "words: 1 chunks in the index, 2 in the table",
        ),
        (with_shrunken_wiki, "wiki_has_not_shrunk", "3 documents after 7"),
        (with_blind_index, "smoke_queries_find_their_page", "a.md"),
        (with_leaking_index, "hidden_pages_stay_hidden", "b.md"),
    ],
)
def test_run_gate_broken_build_names_what_is_wrong(
    breakage: Callable[[Candidate], Candidate], check: str, named: str
) -> None:
    assert named in failed(breakage(sound(*PAGES)))[check]


def test_wiki_has_not_shrunk_accepted_for_the_commit_passes() -> None:
    assert failed(replace(with_shrunken_wiki(sound(*PAGES)), shrink_accepted=True)) == {}


def test_smoke_queries_title_used_twice_is_not_asked() -> None:
    candidate = sound(document("a.md", title="Úvod"), document("b.md", title="UVOD"))
    assert failed(replace(candidate, index=FakeIndex(candidate.documents, 2, blind=True))) == {}


@pytest.mark.parametrize(
    "rights",
    [TEACHERS, {"published": False}, {"valid_to_us": NOW_US}, {"valid_from_us": NOW_US + 1}],
)
def test_hidden_pages_each_kind_is_asked_in_every_arm_and_leak_is_seen(
    rights: dict[str, Any],
) -> None:
    candidate = with_leaking_index(
        sound(document("a.md", title="Alfa"), document("h.md", title="Skrytá", **rights))
    )
    detail = failed(candidate)["hidden_pages_stay_hidden"]
    for arm in ("all_terms", "prefix_terms", "any_term", "vector"):
        assert f"h.md is shown by {arm}" in detail


def test_hidden_pages_strangers_ask_with_every_group_that_does_not_help() -> None:
    other = document("o.md", title="Iná", open=False, allowed_groups=["studenti"])
    candidate = sound(document("h.md", title="Skrytá", **TEACHERS), other)
    failed(candidate)
    index = candidate.index
    assert isinstance(index, FakeIndex)
    asked = {request.caller.groups for request in index.asked if request.query == "Skrytá"}
    assert frozenset({"studenti"}) in asked
    assert all("ucitelia" not in groups for groups in asked)
