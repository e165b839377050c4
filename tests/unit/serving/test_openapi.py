"""The OpenAPI documents: models see their tools only, the full one needs the key."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.unit.serving.serving_client import serving_client
from tests.unit.serving.serving_fakes import AUTHORISED, FakeIndex
from zp_serving.openapi import full_document, page


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving_client(tmp_path, FakeIndex(), ZP_DOCS_ENABLED=True) as client:
        yield client


def test_model_document_offers_no_internal_address(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert document["paths"] == {}


def test_full_document_needs_the_key(client: TestClient) -> None:
    assert client.get("/openapi-full.json").status_code == 401
    document = client.get("/openapi-full.json", headers=AUTHORISED).json()
    assert document["paths"].keys() == {"/health", "/livez", "/search"}


def test_full_document_every_operation_named_and_described() -> None:
    operations = [item for path in full_document()["paths"].values() for item in path.values()]
    identifiers = [operation["operationId"] for operation in operations]
    assert sorted(identifiers) == ["zp_health", "zp_live", "zp_search"]
    assert all(operation["description"] for operation in operations)


def test_full_document_search_has_body_errors_and_security() -> None:
    search = full_document()["paths"]["/search"]["post"]
    schema = search["requestBody"]["content"]["application/json"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["query"]["maxLength"] == 2000
    assert search["responses"].keys() == {"200", "400", "401", "403", "413", "422", "500", "503"}
    assert "ErrorAnswer" in str(search["responses"]["422"])
    assert search["security"]


def test_docs_page_loads_nothing_from_anywhere(client: TestClient) -> None:
    response = client.get("/docs")
    assert response.status_code == 200
    assert "POST /search" in response.text
    assert not any(
        mark in response.text for mark in ("<script", "<link", "<img", "http://", "https://")
    )


def test_docs_page_escapes_what_it_shows() -> None:
    document = {"info": {"title": "<b>", "description": "&"}, "paths": {}}
    assert "<title>&lt;b&gt;</title>" in page(document)


def test_docs_page_absent_unless_enabled(tmp_path: Path) -> None:
    with serving_client(tmp_path) as client:
        assert client.get("/docs").status_code == 404
        assert client.get("/redoc").status_code == 404
