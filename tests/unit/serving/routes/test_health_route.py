"""`/health` and `/livez` over the whole application: no key, 200 in every state."""

from pathlib import Path

from tests.unit.serving.serving_client import serving_client
from tests.unit.serving.serving_fakes import FakeIndex


def test_health_without_generation_answers_not_ready(tmp_path: Path) -> None:
    with serving_client(tmp_path) as client:
        response = client.get("/health")
    assert response.status_code == 200
    assert response.json() == {
        "ready": False,
        "generation": None,
        "tools": {
            "rag": {"ready": False, "reason": "no_generation"},
            "neo4j": {"ready": False, "reason": "not_configured"},
            "graphrag": {"ready": False, "reason": "not_configured"},
        },
    }


def test_health_with_generation_names_it(tmp_path: Path) -> None:
    with serving_client(tmp_path, FakeIndex()) as client:
        health = client.get("/health").json()
    assert health["ready"]
    assert health["generation"].keys() >= {
        *("id", "commit", "branch", "committed_at", "published_at", "age_seconds")
    }


def test_livez_answers_in_any_state(tmp_path: Path) -> None:
    with serving_client(tmp_path) as client:
        response = client.get("/livez")
    assert (response.status_code, response.json()) == (200, {"status": "alive"})
