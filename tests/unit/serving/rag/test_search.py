"""One search: what the index is asked, and what the contract says of its outcome."""

from datetime import UTC, datetime

import pytest

from tests.unit.serving.serving_fakes import NOW, FakeEncoder, FakeIndex, make_hit, write_generation
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.contract import SearchAnswer, SearchBody
from zp_serving.errors import Forbidden
from zp_serving.rag.search import search
from zp_serving.security import CallerContext
from zp_serving.served_generation import ServedGeneration
from zp_serving.source_url import SourceLinks

NOBODY = CallerContext(frozenset(), False, NOW)
MEMBER = CallerContext(frozenset({"staff"}), True, NOW)


@pytest.fixture
def serve(tmp_path):  # noqa: ANN001, ANN201
    manifest = write_generation(GenerationStore(tmp_path), "one")
    links = SourceLinks("https://git.example.org/{commit}/{path}", manifest.commit, "master")
    return lambda index: ServedGeneration(manifest, NOW, index, FakeEncoder(), links)


def ask(serve, index: FakeIndex, caller: CallerContext = NOBODY, **fields) -> SearchAnswer:  # noqa: ANN001, ANN003
    return search(serve(index), SearchBody(query="preklad", **fields), caller)


def test_search_index_asked_for_the_caller_at_that_time(serve) -> None:  # noqa: ANN001
    index = FakeIndex()
    late = CallerContext(frozenset({"staff"}), True, datetime(1970, 1, 1, 0, 0, 1, 7, tzinfo=UTC))
    ask(serve, index, late, limit=7, max_per_document=2)
    (request,) = index.requests
    assert (request.query, request.limit, request.max_per_document) == ("preklad", 7, 2)
    assert (request.caller.groups, request.caller.now_us) == ({"staff"}, 1_000_007)
    assert request.caller.published_only


def test_search_service_may_ask_for_unpublished(serve) -> None:  # noqa: ANN001
    index = FakeIndex()
    ask(serve, index, published_only=False)
    assert not index.requests[0].caller.published_only


def test_search_person_asking_for_unpublished_forbidden(serve) -> None:  # noqa: ANN001
    index = FakeIndex()
    with pytest.raises(Forbidden):
        ask(serve, index, MEMBER, published_only=False)
    assert index.requests == []


def test_search_hits_become_results_cited_by_sources(serve) -> None:  # noqa: ANN001
    answer = ask(serve, FakeIndex(make_hit(1), make_hit(2, path="b.md", title=None)))
    assert (answer.status, answer.reason, answer.strategy) == ("ok", None, "all_terms")
    assert [result.source_id for result in answer.results] == ["S1", "S2"]
    assert [source.document_path for source in answer.sources] == [
        result.document_path for result in answer.results
    ]
    assert answer.results[1].title is None


def test_search_source_leads_to_commit_blob_lines_and_hash(serve) -> None:  # noqa: ANN001
    index = FakeIndex(make_hit())
    generation = serve(index)
    (source,) = search(generation, SearchBody(query="preklad"), NOBODY).sources
    assert (source.commit, source.blob) == (generation.manifest.commit, "b" * 40)
    assert (source.lines, source.sha256) == ((3, 5), "c" * 64)
    assert source.source_url is not None
    assert source.source_url.endswith("/pages/strojov%C3%BD%20preklad.md")


def test_search_nothing_found_is_no_answer_of_that_generation(serve) -> None:  # noqa: ANN001
    index = FakeIndex()
    answer = ask(serve, index)
    assert (answer.status, answer.reason) == ("no_answer", "no_matching_sources")
    assert (answer.results, answer.sources, answer.strategy) == ([], [], None)
    assert answer.index_version == serve(index).manifest.id


def test_search_uncut_completeness_unknown(serve) -> None:  # noqa: ANN001
    answer = ask(serve, FakeIndex(make_hit()))
    assert (answer.complete, answer.truncated, answer.truncation_reasons) == (None, False, [])


def test_search_cut_is_incomplete_with_reasons(serve) -> None:  # noqa: ANN001
    answer = ask(serve, FakeIndex(make_hit(), truncation=("per_document_limit", "result_limit")))
    assert (answer.complete, answer.truncated) == (False, True)
    assert answer.truncation_reasons == ["per_document_limit", "result_limit"]
