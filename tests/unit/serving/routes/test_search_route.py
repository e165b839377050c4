"""`POST /search` over the whole application: keys, bodies, limits, envelope."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.unit.serving.serving_client import serving_client
from tests.unit.serving.serving_fakes import AUTHORISED, SEARCH_KEY, SYNC_KEY, FakeIndex, make_hit

QUESTION = {"query": "preklad"}


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex(make_hit())


@pytest.fixture
def client(tmp_path: Path, index: FakeIndex) -> Iterator[TestClient]:
    with serving_client(tmp_path, index) as client:
        yield client


def test_search_authorised_question_answered(client: TestClient) -> None:
    response = client.post("/search", json=QUESTION, headers=AUTHORISED)
    answer = response.json()
    assert response.status_code == 200
    assert (answer["status"], answer["engine"]) == ("ok", "hybrid_fts_embeddings")
    assert answer["results"][0]["lines"] == [3, 5]
    assert answer["results"][0]["matched_by"] == ["all_terms", "vector"]
    assert answer["sources"][0]["source_url"] is None


def test_search_bearer_key_answered(client: TestClient) -> None:
    headers = {"Authorization": f"Bearer {SEARCH_KEY}"}
    assert client.post("/search", json=QUESTION, headers=headers).status_code == 200


def test_search_groups_come_from_header_only(client: TestClient, index: FakeIndex) -> None:
    client.post("/search", json=QUESTION, headers=AUTHORISED | {"X-User-Groups": "staff"})
    assert index.requests[-1].caller.groups == {"staff"}
    body = QUESTION | {"groups": ["staff"]}
    assert client.post("/search", json=body, headers=AUTHORISED).status_code == 422


def test_search_body_is_json_whatever_its_content_type(client: TestClient) -> None:
    headers = AUTHORISED | {"Content-Type": "text/plain"}
    assert client.post("/search", content=b'{"query": "a"}', headers=headers).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"X-API-Key": SYNC_KEY}, {"X-User-Groups": "staff"}])
@pytest.mark.parametrize("content", [b'{"query": "a"}', b"{", b"x" * 300_000])
def test_search_without_key_unauthorized_before_body_is_judged(
    client: TestClient, headers: dict[str, str], content: bytes
) -> None:
    response = client.post("/search", content=content, headers=headers)
    assert (response.status_code, response.json()["reason"]) == (401, "unauthorized")
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"query": " "}, 400, "invalid_query"),
        ({"query": "x" * 2001}, 400, "invalid_query"),
        ({}, 422, "invalid_request"),
        ({"query": "a", "limit": 0}, 422, "invalid_request"),
        ({"query": "a", "more": 1}, 422, "invalid_request"),
    ],
)
def test_search_faulty_body_refused(
    client: TestClient, body: dict[str, Any], status: int, reason: str
) -> None:
    response = client.post("/search", json=body, headers=AUTHORISED)
    assert (response.status_code, response.json()["reason"]) == (status, reason)


@pytest.mark.parametrize("extra", [0, 1])
def test_search_body_over_the_limit_too_large(client: TestClient, extra: int) -> None:
    body = b'{"query": "a"}'.ljust(256 * 1024 + extra)
    response = client.post("/search", content=body, headers=AUTHORISED)
    assert response.status_code == (413 if extra else 200)


def test_search_body_over_the_limit_in_blocks_refused_while_reading(client: TestClient) -> None:
    taken: list[int] = []

    def blocks() -> Iterator[bytes]:
        for number in range(10):
            taken.append(number)
            yield b" " * 100_000

    response = client.post("/search", content=blocks(), headers=AUTHORISED)
    assert (response.status_code, response.json()["reason"]) == (413, "too_large")


def test_search_person_asking_for_unpublished_forbidden(client: TestClient) -> None:
    body = QUESTION | {"published_only": False}
    person = AUTHORISED | {"X-OpenWebUI-User-Email": "jana@example.org"}
    assert client.post("/search", json=body, headers=person).status_code == 403
    assert client.post("/search", json=body, headers=AUTHORISED).status_code == 200


def test_search_without_generation_unavailable(tmp_path: Path) -> None:
    with serving_client(tmp_path) as client:
        response = client.post("/search", json=QUESTION, headers=AUTHORISED)
    assert (response.status_code, response.json()["reason"]) == (503, "retrieval_unavailable")


def test_search_index_fails_internal_error_without_its_text(
    client: TestClient, index: FakeIndex, capsys: pytest.CaptureFixture[str]
) -> None:
    index.close()
    response = client.post("/search", json=QUESTION, headers=AUTHORISED)
    assert (response.status_code, response.json()["reason"]) == (500, "internal_error")
    assert "closed" not in response.text
