"""The service as a real HTTP server over real LanceDB generations, swapped while it is asked."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pyarrow as pa
import pytest
import uvicorn
from numpy.typing import NDArray

from tests.support.assets import model_assets
from tests.unit.serving.serving_fakes import (
    AUTHORISED,
    SEARCH_KEY,
    FakeEncoder,
    make_settings,
    publish,
    write_generation,
)
from zp_pipeline.index.writer import write_index
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder
from zp_pipeline.shared.generation.artifacts import Recipe, Written
from zp_pipeline.shared.generation.manifest import GenerationManifest, ModelRecord
from zp_pipeline.shared.generation.store import GenerationStore
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US
from zp_pipeline.shared.schema.tables import CHUNKS, DOCUMENTS, EMBEDDING_DIMENSIONS, EMBEDDINGS
from zp_serving.app import create_app
from zp_serving.server import listen

CLIENTS = 8
GENERATIONS = 20
NOTICED_SECONDS = 2.0
PATIENCE_SECONDS = 60.0

Embed = Callable[[str], NDArray[np.float32]]


def one_axis(text: str) -> NDArray[np.float32]:
    """Return the same unit vector for every text."""
    return np.eye(1, EMBEDDING_DIMENSIONS, dtype=np.float32)[0]


def rights(**changes: Any) -> dict[str, Any]:
    """Return the rights of a page that is open to everyone, unless `changes` say else."""
    validity = {"valid_from_us": ALWAYS_FROM_US, "valid_to_us": ALWAYS_TO_US}
    return {"published": True, "open": True, "allowed_groups": [], **validity, **changes}


def document(path: str, text: str, **columns: Any) -> dict[str, Any]:
    """Return a row of the table of documents."""
    return {
        **{"path": path, "path_bytes": path.encode(), "blob": "b" * 40, "title": text[:30]},
        **{"authors": [], "tags": [], "categories": [], "date": None, "front_matter": "{}"},
        **{"text": text, "body_start": 0, **rights(**columns)},
    }


def chunk(row: dict[str, Any]) -> dict[str, Any]:
    """Return the one chunk of a document."""
    return {
        **{"chunk_id": row["path"], "path": row["path"], "ordinal": 0, "heading_path": []},
        **{"text": row["text"], "char_start": 0, "own_start": 0, "char_end": len(row["text"])},
        **{"first_line": 1, "last_line": 1, "token_count": 1, "content_hash": "c" * 64},
    }


def write_real(
    store: GenerationStore, name: str, rows: list[dict[str, Any]], embed: Embed, **changes: Any
) -> GenerationManifest:
    """Write a generation with a real index of the documents."""
    vectors = [
        {"chunk_id": row["path"], "segment": 0, "input_hash": "", "vector": embed(row["text"])}
        for row in rows
    ]

    def write(into: Path) -> Written:
        facts = write_index(
            into,
            pa.Table.from_pylist(rows, DOCUMENTS),
            pa.Table.from_pylist([chunk(row) for row in rows], CHUNKS),
            pa.Table.from_pylist(vectors, EMBEDDINGS),
        )
        return Written({"search_index": facts.rows}, asdict(facts))

    record = store.artifacts.produce(Recipe("search_index", f"real {name}"), write).record
    return write_generation(store, name, artifacts={"search_index": record}, **changes)


def numbered(store: GenerationStore, number: int) -> GenerationManifest:
    """Write a generation whose every page tells its number."""
    rows = [
        document(f"strana{page}.md", f"Strojový preklad, strana {page}, vydanie {number}.")
        for page in range(5)
    ]
    return write_real(store, f"vydanie {number}", rows, one_axis)


@contextmanager
def running(home: Path, encoder: Any = None) -> Iterator[httpx.Client]:
    """Serve a home on a free port in a thread, and give a client of it."""
    app = create_app(make_settings(home), encoder=encoder or FakeEncoder())
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with httpx.Client(base_url=url, headers=AUTHORISED, timeout=PATIENCE_SECONDS) as client:
        try:
            yield client
        finally:
            server.should_exit = True
            thread.join()
    listener.close()


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> float:
    """Wait until `condition` holds and return how long it took; fail after `seconds`."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < seconds, "waited in vain"
        time.sleep(0.02)
    return time.monotonic() - started


def served_id(client: httpx.Client) -> str | None:
    """Return the generation that `/health` names."""
    generation = client.get("/health").json()["generation"]
    return generation["id"] if generation else None


def ask(client: httpx.Client, query: str, **fields: Any) -> dict[str, Any]:
    """Return the answer to a search that must succeed."""
    response = client.post("/search", json={"query": query, **fields})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


@pytest.fixture
def store(tmp_path: Path) -> GenerationStore:
    return GenerationStore(tmp_path / "store")


def test_publication_is_noticed_and_served(tmp_path: Path, store: GenerationStore) -> None:
    first, second = numbered(store, 1), numbered(store, 2)
    with running(tmp_path) as client:
        wait_for(lambda: client.get("/health").json()["tools"]["rag"]["reason"] == "no_generation")
        publish(store, first)
        wait_for(lambda: served_id(client) == first.id)
        publish(store, second)
        assert wait_for(lambda: served_id(client) == second.id) < NOTICED_SECONDS
        answer = ask(client, "strojový preklad")
    assert answer["index_version"] == second.id
    assert all("vydanie 2" in result["text"] for result in answer["results"])


def test_clients_during_many_publications_each_get_one_generation(
    tmp_path: Path, store: GenerationStore
) -> None:
    manifests = [numbered(store, number) for number in range(GENERATIONS)]
    numbers = {manifest.id: number for number, manifest in enumerate(manifests)}
    publish(store, manifests[0])
    finished = threading.Event()

    def keep_asking(client: httpx.Client) -> list[dict[str, Any]]:
        answers = []
        while not finished.is_set():
            answers.append(ask(client, "strojový preklad"))
        return answers

    with running(tmp_path) as client, ThreadPoolExecutor(CLIENTS) as pool:
        wait_for(lambda: served_id(client) == manifests[0].id)
        asking = [pool.submit(keep_asking, client) for _ in range(CLIENTS)]
        # One more answer from each: eight busy clients may all miss one that is served so shortly.
        answers = [ask(client, "strojový preklad")]
        try:
            for manifest in manifests[1:]:
                publish(store, manifest)
                wait_for(lambda wanted=manifest.id: served_id(client) == wanted)
                answers.append(ask(client, "strojový preklad"))
        finally:
            finished.set()
        answers += [answer for future in asking for answer in future.result()]
    for answer in answers:
        number = numbers[answer["index_version"]]
        assert len(answer["results"]) == 5
        assert all(result["text"].endswith(f"vydanie {number}.") for result in answer["results"])
    assert {numbers[answer["index_version"]] for answer in answers} == set(range(GENERATIONS))


@pytest.mark.parametrize("damage", ["flip", "truncate", "remove"])
def test_damaged_index_file_refused_and_previous_served(
    tmp_path: Path, store: GenerationStore, damage: str
) -> None:
    good, bad = numbered(store, 1), numbered(store, 2)
    publish(store, good)
    with running(tmp_path) as client:
        wait_for(lambda: served_id(client) == good.id)
        damage_largest_file(store, bad, damage)
        publish(store, bad)
        wait_for(lambda: client.get("/health").json()["tools"]["rag"]["reason"] is not None)
        health = client.get("/health").json()
        answer = ask(client, "preklad")
    assert (health["ready"], health["tools"]["rag"]["reason"]) == (True, "artifact_damaged")
    assert (health["generation"]["id"], answer["index_version"]) == (good.id, good.id)


def damage_largest_file(store: GenerationStore, manifest: GenerationManifest, damage: str) -> None:
    record = manifest.artifacts["search_index"]
    files = store.artifacts.directory(record.kind, record.digest).rglob("*")
    largest = max((file for file in files if file.is_file()), key=lambda file: file.stat().st_size)
    content = bytearray(largest.read_bytes())
    content[len(content) // 2] ^= 1
    if damage == "remove":
        largest.unlink()
    else:
        largest.write_bytes(content if damage == "flip" else content[:-1])


def test_rights_hold_for_whoever_asks(tmp_path: Path, store: GenerationStore) -> None:
    rows = [
        document("open.md", "Heslo pre všetkých."),
        document("staff.md", "Heslo pre učiteľov.", open=False, allowed_groups=["staff"]),
        document("draft.md", "Heslo v koncepte.", published=False),
        document("expired.md", "Heslo po platnosti.", valid_to_us=1),
    ]
    publish(store, write_real(store, "rights", rows, one_axis))

    def found(client: httpx.Client, body: dict[str, Any], **headers: str) -> set[str]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = client.post("/search", json={"query": "heslo", **body}, headers=named).json()
        return {result["document_path"] for result in answer["results"]}

    with running(tmp_path) as client:
        wait_for(lambda: served_id(client) is not None)
        assert found(client, {}) == {"open.md"}
        assert found(client, {}, X_User_Groups="staff") == {"open.md", "staff.md"}
        assert found(client, {}, X_User_Groups="phd") == {"open.md"}
        assert found(client, {"published_only": False}) == {"open.md", "draft.md"}


def test_body_far_over_the_limit_gets_its_answer(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        response = client.post("/search", content=b" " * 5_000_000)
    assert (response.status_code, response.json()["reason"]) == (413, "too_large")


@pytest.fixture(scope="module")
def real_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the real model and a generation whose vectors it made."""
    home = tmp_path_factory.mktemp("real")
    (home / "assets").symlink_to(model_assets(), target_is_directory=True)
    store = GenerationStore(home / "store")
    encoder = QueryEncoder(home / "assets")
    model = ModelRecord(name="e5", revision="r1", source="package", fingerprint=encoder.fingerprint)
    rows = [
        document("preklad.md", "Neurónový strojový preklad slovenčiny pomocou Fairseq."),
        document("norma.md", "Ako citovať v záverečnej práci podľa normy ISO 690."),
    ]
    publish(store, write_real(store, "real", rows, encoder.encode, model=model))
    return home


@pytest.fixture(scope="module")
def real_client(real_home: Path) -> Iterator[httpx.Client]:
    """A client of a service with the real model."""
    with running(real_home, QueryEncoder(real_home / "assets")) as client:
        wait_for(lambda: served_id(client) is not None)
        yield client


@pytest.mark.parametrize(
    "query",
    [
        *("\x00", "\u202e", "🧪" * 500, "'; DROP TABLE chunks; --", '"a" AND (b OR c', "*"),
        *("a" * 2000, "\ufdfa" * 10, "x' OR open = false", "- + ^ ~ : \\", "e\u0301" * 900),
    ],
)
def test_hostile_question_gets_an_ordinary_answer(real_client: httpx.Client, query: str) -> None:
    assert ask(real_client, query)["status"] in {"ok", "no_answer"}


def test_question_in_other_words_finds_page_by_meaning(real_client: httpx.Client) -> None:
    answer = ask(real_client, "machine translation of Slovak", limit=1)
    assert answer["results"][0]["document_path"] == "preklad.md"
    assert "vector" in answer["results"][0]["matched_by"]


def command(home: Path, *arguments: str, **settings: str) -> subprocess.Popen[str]:
    """Start `zp` on a home."""
    environment = {**os.environ, "ZP_HOME": str(home), "SEARCH_API_KEY": SEARCH_KEY, **settings}
    return subprocess.Popen(
        ["zp", *arguments],
        env=environment,
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def is_ready(url: str) -> bool:
    """Tell whether a service answers there and is ready."""
    try:
        return bool(httpx.get(f"{url}/health").json()["ready"])
    except httpx.TransportError:
        return False


def test_serve_and_search_commands_give_the_same_body(real_home: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    service = command(real_home, "serve", ZP_API_PORT=str(port))
    wait_for(lambda: is_ready(url))
    response = httpx.post(f"{url}/search", json={"query": "strojový preklad"}, headers=AUTHORISED)
    service.send_signal(signal.SIGTERM)
    stdout, stderr = service.communicate(timeout=PATIENCE_SECONDS)
    printed, _ = command(real_home, "search", "strojový preklad", "--json").communicate()
    assert json.loads(printed) == response.json()
    assert (service.returncode, stdout) == (-signal.SIGTERM, "")
    assert "request" in {json.loads(line)["event"] for line in stderr.splitlines()}
    assert "preklad" not in stderr


def test_serve_on_a_taken_port_says_so(real_home: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        service = command(real_home, "serve", ZP_API_PORT=port)
        _, stderr = service.communicate(timeout=PATIENCE_SECONDS)
    assert service.returncode == 1
    assert "ZP_API_PORT" in stderr
    assert port in stderr
