"""An index written and searched with the real LanceDB; vectors are made up, one axis per topic."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from zp_pipeline.index.writer import write_index
from zp_pipeline.shared.errors import ArtifactDamaged, ArtifactMismatch
from zp_pipeline.shared.schema.index import IndexFacts
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US
from zp_pipeline.shared.schema.tables import CHUNKS, DOCUMENTS, EMBEDDING_DIMENSIONS, EMBEDDINGS
from zp_pipeline.shared.search.models import ARMS, TEXT_ARMS, Caller, SearchOutcome, SearchRequest
from zp_pipeline.shared.search.open_index import OpenIndex

NOW = 1_000_000
ANYBODY = Caller(frozenset(), published_only=True, now_us=NOW)

Page = dict[str, Any]
Write = Callable[[Sequence[Page]], OpenIndex]


def page(path: str, *texts: str, title: str | None = None, axis: int = 0, **columns: Any) -> Page:
    """Return a page with a chunk per text, whose vectors lie on `axis`."""
    return {"path": path, "texts": texts, "title": title, "axis": axis, "columns": columns}


def unit(axis: int) -> NDArray[np.float32]:
    """Return the vector of a topic."""
    vector = np.zeros(EMBEDDING_DIMENSIONS, np.float32)
    vector[axis] = 1
    return vector


def document_row(page: Page) -> dict[str, Any]:
    """Return a row of the table of documents, open to everyone unless the page says else."""
    text = "\n".join(page["texts"])
    return {
        **{"path": page["path"], "path_bytes": page["path"].encode(), "blob": "b" * 40},
        **{"title": page["title"], "authors": [], "tags": [], "categories": [], "date": None},
        **{"published": True, "open": True, "allowed_groups": []},
        **{"valid_from_us": ALWAYS_FROM_US, "valid_to_us": ALWAYS_TO_US},
        **{"front_matter": "{}", "text": text, "body_start": 0, **page["columns"]},
    }


def chunk_rows(page: Page) -> list[dict[str, Any]]:
    """Return the rows of the table of chunks, one per text."""
    return [
        {
            **{"chunk_id": f"{page['path']}#{ordinal}", "path": page["path"], "ordinal": ordinal},
            **{"heading_path": ["Úvod"], "text": text, "char_start": 0, "own_start": 0},
            **{"char_end": len(text), "first_line": ordinal + 1, "last_line": ordinal + 1},
            **{"token_count": 1, "content_hash": "c" * 64},
        }
        for ordinal, text in enumerate(page["texts"])
    ]


def tables(pages: Sequence[Page]) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Return documents, chunks and embeddings of the pages; a chunk's second segment is far off."""
    chunks = [(row, page["axis"]) for page in pages for row in chunk_rows(page)]
    embeddings = [
        {"chunk_id": row["chunk_id"], "segment": segment, "input_hash": "", "vector": unit(place)}
        for row, axis in chunks
        for segment, place in enumerate([axis, 300])
    ]
    return (
        pa.Table.from_pylist([document_row(page) for page in pages], DOCUMENTS),
        pa.Table.from_pylist([row for row, _ in chunks], CHUNKS),
        pa.Table.from_pylist(embeddings, EMBEDDINGS),
    )


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Write an index of pages and open it; all are closed at the end."""
    opened: list[OpenIndex] = []

    def write_and_open(pages: Sequence[Page]) -> OpenIndex:
        directory = tmp_path / str(len(opened))
        directory.mkdir()
        opened.append(OpenIndex.open(directory, write_index(directory, *tables(pages))))
        return opened[-1]

    yield write_and_open
    for index in opened:
        index.close()


def ask(
    index: OpenIndex,
    query: str,
    axis: int | None = None,
    *,
    who: Caller = ANYBODY,
    arms: Sequence[str] = ARMS,
    limit: int = 10,
    max_per_document: int = 3,
) -> SearchOutcome:
    """Search; without `axis` there is no vector."""
    request = SearchRequest(query, limit, max_per_document, who, frozenset(arms))
    return index.search(request, None if axis is None else unit(axis))


def paths(outcome: SearchOutcome) -> list[str]:
    """Return the pages found, from the best."""
    return [hit.path for hit in outcome.hits]


CORPUS = [
    page("c.md", "Programovanie v jazyku C je ťažké.", title="Jazyk C", axis=1),
    page("cpp.md", "Programovanie v C++ a v .NET.", title="Jazyk C++", axis=2),
    page("holp.md", "Tému navrhol Ján Holp.", title="Strojový preklad", axis=3),
    page("lipovska.md", "Prácu viedla Anna Lipovská.", title="Vyhľadávanie", axis=4),
    page("seq.md", "Model seq2seq prekladá vety.", title="Neurónové siete", axis=5),
]


@pytest.mark.parametrize(
    ("query", "path", "strategy"),
    [
        ("C++", "cpp.md", "all_terms"),
        (".net", "cpp.md", "all_terms"),
        ("seq2seq", "seq.md", "all_terms"),
        ("PROGRAMOVANIE jazyku tazke", "c.md", "all_terms"),
        ("program ťaž", "c.md", "prefix_terms"),
        ("Čo robí Holp", "holp.md", "any_term"),
        ("Lipovskej", "lipovska.md", "any_term"),
        ("neurónovými sieťami", "seq.md", "any_term"),
        ("Lipovsxá", "lipovska.md", "any_term"),
    ],
)
def test_search_by_words_finds_page(write: Write, query: str, path: str, strategy: str) -> None:
    outcome = ask(write(CORPUS), query)
    assert (paths(outcome)[0], outcome.strategy) == (path, strategy)


@pytest.mark.parametrize("arm", TEXT_ARMS)
def test_search_by_one_text_arm_finds_exact_words(write: Write, arm: str) -> None:
    (hit,) = ask(write(CORPUS), "model seq2seq", arms=[arm]).hits
    assert (hit.path, hit.matched_by) == ("seq.md", (arm,))


def test_search_by_vector_takes_best_segment_and_each_chunk_once(write: Write) -> None:
    outcome = ask(write(CORPUS), "?!", axis=4)
    assert paths(outcome)[0] == "lipovska.md"
    assert len(outcome.hits) == len(CORPUS)
    assert (outcome.strategy, outcome.hits[0].matched_by) == ("vector", ("vector",))


def test_search_names_all_arms_that_found_a_hit(write: Write) -> None:
    outcome = ask(write(CORPUS), "model seq2seq", axis=1)
    assert outcome.strategy == "all_terms"
    assert {hit.path: hit.matched_by for hit in outcome.hits}["seq.md"] == ARMS


def test_search_by_exact_title_puts_it_first(write: Write) -> None:
    pages = [*CORPUS, page("zaver.md", "jazyk c " * 20, title="Záver", axis=1)]
    assert paths(ask(write(pages), "jazyk  C", axis=1))[0] == "c.md"


def test_search_hit_leads_to_the_chunk(write: Write) -> None:
    hit = ask(write([page("a.md", "prvý", "druhý")]), "druhy").hits[0]
    assert (hit.chunk_id, hit.ordinal, hit.first_line, hit.last_line) == ("a.md#1", 1, 2, 2)
    assert (hit.text, hit.heading_path, hit.title) == ("druhý", ("Úvod",), None)
    assert (hit.rank, hit.blob) == (1, "b" * 40)


LOCKED = [
    page("skupina.md", "tajomstvo katedry", open=False, allowed_groups=["veduci"], axis=9),
    page("nikto.md", "tajomstvo katedry", open=False, axis=9),
    page("navrh.md", "tajomstvo katedry", published=False, axis=9),
    page("buduce.md", "tajomstvo katedry", valid_from_us=NOW + 1, axis=9),
    page("byvale.md", "tajomstvo katedry", valid_to_us=NOW, axis=9),
]


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize(
    ("who", "visible"),
    [
        (ANYBODY, []),
        (replace(ANYBODY, groups=frozenset({"veduci"})), ["skupina.md"]),
        (replace(ANYBODY, groups=frozenset({"studenti", "x') OR true --"})), []),
        (replace(ANYBODY, published_only=False), ["navrh.md"]),
        (replace(ANYBODY, now_us=NOW + 1), ["buduce.md"]),
        (replace(ANYBODY, now_us=NOW - 1), ["byvale.md"]),
    ],
)
def test_search_in_each_arm_shows_only_what_caller_may_see(
    write: Write, arm: str, who: Caller, visible: list[str]
) -> None:
    outcome = ask(write(LOCKED), "tajomstvo katedry", axis=9, who=who, arms=[arm])
    assert paths(outcome) == visible
    assert outcome.strategy == (arm if visible else None)


def test_search_order_betrays_no_hidden_page(write: Write) -> None:
    pages = [page("a.md", "graf a sieť"), page("b.md", "graf a strom"), page("c.md", "uzol")]
    hidden = [page(f"h{number}.md", "strom", open=False) for number in range(20)]
    without, with_hidden = (ask(write(set_), "sieť strom") for set_ in (pages, pages + hidden))
    assert paths(with_hidden) == paths(without) == ["b.md", "a.md"]


def test_search_proves_what_was_cut(write: Write) -> None:
    pages = [page("a.md", *["sieť"] * 3), page("b.md", "sieť"), page("c.md", "sieť")]
    outcome = ask(write(pages), "sieť", limit=2, max_per_document=1)
    assert paths(outcome) == ["a.md", "b.md"]
    assert outcome.truncation == ("per_document_limit", "result_limit")


def test_search_beyond_candidates_says_so(write: Write) -> None:
    outcome = ask(write([page("a.md", *["sieť"] * 301)]), "sieť", limit=400, max_per_document=400)
    assert (len(outcome.hits), outcome.truncation) == (300, ("candidate_limit",))


@pytest.mark.parametrize(
    "query",
    [
        "\x00",
        "\ud800 sieť",
        "' OR 1=1 --",
        '"("',
        "😀",
        "\u202eabc",
        "AND NOT * ^2 ~",
        "a " * 1000,
        "x" * 2000,
    ],
)
def test_search_for_hostile_text_answers(write: Write, query: str) -> None:
    outcome = ask(write(CORPUS), query, axis=1)
    assert paths(outcome)[0]
    assert set(outcome.timings_ms) == {"text", "vector", "fusion", "fetch"}


@pytest.mark.parametrize("pages", [[], [page("prazdna.md")]])
def test_search_in_index_without_chunks_finds_nothing(write: Write, pages: list[Page]) -> None:
    outcome = ask(write(pages), "hocičo", axis=1)
    assert (outcome.hits, outcome.strategy, outcome.truncation) == ((), None, ())


def test_search_in_second_index_of_same_pages_answers_the_same(write: Write) -> None:
    first, second = write(CORPUS), write(CORPUS)
    for query in ("jazyk", "programovanie", "preklad viet"):
        assert ask(first, query, axis=7).hits == ask(second, query, axis=7).hits


def test_coverage_counts_rows_of_full_text_and_vectors(write: Write) -> None:
    assert write(CORPUS).coverage() == {"words": 5, "prefixes": 5, "vectors": 5}


def test_search_with_approximate_index_finds_nearest_visible(tmp_path: Path) -> None:
    pages = [page(f"{axis}.md", "text", axis=axis, open=axis != 7) for axis in range(300)]
    facts = write_index(tmp_path, *tables(pages), exact_limit=100)
    index = OpenIndex.open(tmp_path, facts)
    assert facts.approximate
    assert paths(ask(index, "", axis=120, arms=["vector"]))[0] == "120.md"
    assert "7.md" not in paths(ask(index, "", axis=7, arms=["vector"], limit=50))
    index.close()


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, IndexFacts]:
    """Return an index on disk and its facts."""
    return tmp_path, write_index(tmp_path, *tables(CORPUS))


@pytest.mark.parametrize("fact", ["rows", "segments", "chunks_version", "segments_version"])
def test_open_of_other_facts_raises(written: tuple[Path, IndexFacts], fact: str) -> None:
    directory, facts = written
    with pytest.raises(ArtifactDamaged, match=fact.replace("_", " ")):
        OpenIndex.open(directory, replace(facts, **{fact: asdict(facts)[fact] + 1}))


@pytest.mark.parametrize("part", ["lance", "lance/chunks.lance", "terms/stems", "vectors"])
def test_open_without_a_part_raises_and_makes_nothing(
    written: tuple[Path, IndexFacts], part: str
) -> None:
    directory, facts = written
    shutil.rmtree(directory / part)
    with pytest.raises(ArtifactDamaged):
        OpenIndex.open(directory, facts)
    assert not (directory / part).exists()


def test_write_of_chunk_without_document_raises(tmp_path: Path) -> None:
    documents, chunks, embeddings = tables(CORPUS)
    with pytest.raises(ArtifactMismatch, match="1 chunks belong to no document"):
        write_index(tmp_path, documents.slice(1), chunks, embeddings)


def test_write_of_vector_without_chunk_raises(tmp_path: Path) -> None:
    documents, chunks, embeddings = tables(CORPUS)
    with pytest.raises(ArtifactMismatch, match="2 embeddings belong to no chunk"):
        write_index(tmp_path, documents, chunks.slice(1), embeddings)


def test_write_of_vector_that_is_not_finite_raises(tmp_path: Path) -> None:
    documents, chunks, embeddings = tables(CORPUS)
    broken = embeddings.slice(0, 1).to_pylist()
    broken[0]["vector"][0] = float("nan")
    with pytest.raises(ArtifactDamaged, match="not finite"):
        write_index(tmp_path, documents, chunks, pa.Table.from_pylist(broken, EMBEDDINGS))
