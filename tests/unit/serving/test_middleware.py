"""What every response carries, what a log line holds, and what it must not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from starlette.testclient import TestClient

from tests.unit.serving.serving_client import serving_client
from tests.unit.serving.serving_fakes import AUTHORISED, FakeIndex

ORIGIN = "http://localhost:3000"


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex()


@pytest.fixture
def client(tmp_path: Path, index: FakeIndex) -> Iterator[TestClient]:
    with serving_client(tmp_path, index, ZP_CORS_ORIGINS=ORIGIN) as client:
        yield client


@pytest.mark.parametrize("path", ["/health", "/nowhere", "/openapi-full.json"])
def test_response_carries_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_request_id_given_is_kept_and_else_made(client: TestClient) -> None:
    given = client.get("/livez", headers={"X-Request-Id": "abc-1"}).headers["X-Request-Id"]
    made = client.get("/livez").headers["X-Request-Id"]
    assert given == "abc-1"
    assert len(made) == 32


@pytest.mark.parametrize("bad", ["", "a b", "x" * 65, "<script>"])
def test_request_id_unusable_replaced(client: TestClient, bad: str) -> None:
    made = client.get("/livez", headers={"X-Request-Id": bad}).headers["X-Request-Id"]
    assert made != bad
    assert len(made) == 32


def test_cors_known_origin_allowed_and_other_not(client: TestClient) -> None:
    ask = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "X-API-Key"}
    known = client.options("/search", headers=ask | {"Origin": ORIGIN})
    other = client.options("/search", headers=ask | {"Origin": "http://elsewhere"})
    assert known.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Access-Control-Allow-Origin" not in other.headers


def test_cors_unexpected_error_readable_by_known_origin(
    client: TestClient, index: FakeIndex
) -> None:
    index.close()
    headers = AUTHORISED | {"Origin": ORIGIN}
    response = client.post("/search", json={"query": "a"}, headers=headers)
    assert response.status_code == 500
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN


def test_log_line_has_route_and_status_and_no_question(client: TestClient) -> None:
    with structlog.testing.capture_logs() as lines:
        client.post("/search?who=Holp", json={"query": "tajná otázka"}, headers=AUTHORISED)
        client.get("/Ján/Holp")
    searched, lost = lines
    assert (searched["route"], searched["status"]) == ("/search", 200)
    assert (lost["route"], lost["status"]) == (None, 404)
    assert not any(word in str(lines) for word in ("tajná", "Holp"))


def test_log_line_of_unexpected_error_has_place_and_no_message(
    client: TestClient, index: FakeIndex
) -> None:
    index.close()
    with structlog.testing.capture_logs() as lines:
        client.post("/search", json={"query": "a"}, headers=AUTHORISED)
    assert lines[0]["error"] == "RuntimeError"
    assert "serving_fakes.py" in lines[0]["where"][-1]
    assert "the index is closed" not in str(lines)
