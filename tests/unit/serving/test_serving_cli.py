"""`zp search` and `zp serve`: exit codes, one JSON object on stdout, heavy imports late."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from click.testing import CliRunner, Result

from tests.unit.serving.serving_fakes import (
    NOW,
    FakeEncoder,
    FakeIndex,
    make_hit,
    write_generation,
)
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.cli import app
from zp_serving.contract import ErrorAnswer, SearchAnswer, SearchBody
from zp_serving.local_search import describe
from zp_serving.rag.search import search
from zp_serving.security import CallerContext
from zp_serving.served_generation import ServedGeneration
from zp_serving.source_url import SourceLinks


@pytest.fixture(autouse=True)
def empty_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZP_HOME", str(tmp_path / "home"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(typer.main.get_command(app), arguments)


def answer(tmp_path: Path, *hits: object, **options: object) -> SearchAnswer:
    manifest = write_generation(GenerationStore(tmp_path / "store"), "one")
    links = SourceLinks("https://git.example.org/{path}", manifest.commit, "master")
    index = FakeIndex(*hits, **options)  # type: ignore[arg-type]
    generation = ServedGeneration(manifest, NOW, index, FakeEncoder(), links)
    return search(generation, SearchBody(query="a"), CallerContext(frozenset(), False, NOW))


def test_search_json_without_generation_prints_envelope_and_exits_1() -> None:
    result = run("search", "preklad", "--json")
    error = ErrorAnswer.model_validate_json(result.stdout)
    assert (result.exit_code, error.reason) == (1, "retrieval_unavailable")


@pytest.mark.parametrize(
    ("query", "reason"),
    [("", "invalid_query"), ("x" * 2001, "invalid_query"), ("\udcff", "invalid_request")],
)
def test_search_json_faulty_question_prints_envelope(query: str, reason: str) -> None:
    result = run("search", query, "--json")
    assert (result.exit_code, json.loads(result.stdout)["reason"]) == (1, reason)


def test_search_error_without_json_raises_for_the_command_line() -> None:
    result = run("search", "preklad")
    assert result.stdout == ""
    assert "generácia" in str(result.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        ("search",),
        ("search", "a", "--limit", "0"),
        ("search", "a", "--limit", "51"),
        ("search", "a", "--max-per-document", "21"),
        ("search", "a", "--group", "Bad Name"),
        ("search", "a", "--unknown"),
    ],
)
def test_search_wrong_usage_exits_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_search_damaged_pointer_is_clear_without_paths(tmp_path: Path) -> None:
    store = GenerationStore(tmp_path / "home" / "store")
    store.root.mkdir(parents=True)
    store.pointer_path.write_text("{", encoding="utf-8")
    result = run("search", "preklad", "--json")
    assert json.loads(result.stdout)["reason"] == "retrieval_unavailable"
    assert str(tmp_path) not in result.stdout


def test_serve_without_key_names_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEARCH_API_KEY", raising=False)
    assert "SEARCH_API_KEY" in str(run("serve").exception)


def test_describe_result_shows_title_place_and_link(tmp_path: Path) -> None:
    text = describe(answer(tmp_path, make_hit(), truncation=("result_limit",)))
    assert "1. Strojový preklad" in text
    assert "pages/strojový preklad.md:3–5 › Úvod" in text
    assert "https://git.example.org/pages/" in text
    assert "Neúplné: result_limit." in text


def test_describe_nothing_found_says_so(tmp_path: Path) -> None:
    assert describe(answer(tmp_path)).startswith("Nič sa nenašlo.")


def test_importing_commands_loads_nothing_heavy() -> None:
    code = "import sys, zp_serving.cli; print({'numpy', 'lancedb', 'fastapi'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert result.stdout.strip() == "set()"
