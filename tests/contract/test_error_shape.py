"""One shape for every error, whichever way it is caused and wherever it appears."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.unit.serving.serving_client import serving_client
from tests.unit.serving.serving_fakes import AUTHORISED, FakeIndex
from zp_serving.contract import ErrorAnswer, error_result
from zp_serving.errors import Refusal

QUESTION = b'{"query": "a"}'

# How to cause it: method, path, headers, body; then status and reason.
CAUSES: dict[str, tuple[str, str, dict[str, str], bytes, int, str]] = {
    "no key": ("POST", "/search", {}, QUESTION, 401, "unauthorized"),
    "no key for the document": ("GET", "/openapi-full.json", {}, b"", 401, "unauthorized"),
    "empty question": ("POST", "/search", AUTHORISED, b'{"query": ""}', 400, "invalid_query"),
    "no question": ("POST", "/search", AUTHORISED, b"{}", 422, "invalid_request"),
    "no body": ("POST", "/search", AUTHORISED, b"", 422, "invalid_request"),
    "deep body": ("POST", "/search", AUTHORISED, b"[" * 99_999, 422, "invalid_request"),
    "large body": ("POST", "/search", AUTHORISED, b" " * 262_145, 413, "too_large"),
    "person": (
        "POST",
        "/search",
        AUTHORISED | {"X-User-Groups": ""},
        b'{"query": "a", "published_only": false}',
        403,
        "forbidden",
    ),
    "wrong method": ("GET", "/search", AUTHORISED, b"", 405, "method_not_allowed"),
    "no such address": ("GET", "/nowhere", {}, b"", 404, "not_found"),
    "address with a slash too many": ("GET", "/health/", {}, b"", 404, "not_found"),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving_client(tmp_path_factory.mktemp("home"), FakeIndex()) as client:
        yield client


def check_envelope(body: dict[str, Any]) -> ErrorAnswer:
    assert body.keys() == ErrorAnswer.model_fields.keys()
    return ErrorAnswer.model_validate(body)


@pytest.mark.parametrize("cause", CAUSES)
def test_error_has_the_one_shape(client: TestClient, cause: str) -> None:
    method, path, headers, body, status, reason = CAUSES[cause]
    response = client.request(method, path, headers=headers, content=body, follow_redirects=False)
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/json"
    assert check_envelope(response.json()).reason == reason


def test_error_unavailable_has_the_one_shape(tmp_path: Path) -> None:
    with serving_client(tmp_path) as client:
        response = client.post("/search", content=QUESTION, headers=AUTHORISED)
    assert response.status_code == 503
    assert check_envelope(response.json()).reason == "retrieval_unavailable"


def test_error_unexpected_has_the_one_shape(tmp_path: Path) -> None:
    index = FakeIndex()
    with serving_client(tmp_path, index) as client:
        index.close()
        response = client.post("/search", content=QUESTION, headers=AUTHORISED)
    assert response.status_code == 500
    assert check_envelope(response.json()).reason == "internal_error"


@pytest.mark.parametrize("kind", Refusal.__subclasses__())
def test_detail_is_one_slovak_sentence(kind: type[Refusal]) -> None:
    detail = error_result(kind()).answer.detail
    assert detail.endswith(".")
    assert not detail.isascii()


def test_wrong_method_names_the_right_one(client: TestClient) -> None:
    assert client.get("/search").headers["Allow"] == "POST"
