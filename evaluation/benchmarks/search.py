"""How long a search takes: p50 and p95 over HTTP at 1 and 8 clients, and where the time goes.

`python -m evaluation.benchmarks.search HOME [--queries N]` on a home with a published generation.
The questions are titles of its own pages, shortened and mixed, so that no two are the same.
"""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import numpy as np
import pyarrow.parquet as pq
import typer

from evaluation.benchmarks.service import Service, running_service
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder
from zp_pipeline.shared.generation.store import GenerationStore
from zp_pipeline.shared.schema.index import IndexFacts
from zp_pipeline.shared.search.models import Caller, SearchRequest
from zp_pipeline.shared.search.open_index import OpenIndex

WARM_UP_QUERIES = 20
CLIENTS = (1, 8)


def questions(store: GenerationStore, count: int, seed: int) -> list[str]:
    """Return questions made of the words of two titles each."""
    pointer = store.pointer()
    if pointer is None:
        raise typer.BadParameter("nothing is published in this home")
    record = store.manifest(pointer.current.id).artifacts["documents"]
    table = pq.read_table(
        store.artifacts.directory(record.kind, record.digest) / "documents.parquet"
    )
    titles = [title for title in table["title"].to_pylist() if title]
    draw = random.Random(seed)
    return [" ".join(draw.sample(titles, 2))[:120].strip() for _ in range(count)]


def arms_ms(home: Path, asked: list[str]) -> dict[str, list[float]]:
    """Return milliseconds of embedding, text, vector, fusion and fetch, in this process."""
    store = GenerationStore(home / "store")
    pointer = store.pointer()
    assert pointer is not None
    record = store.manifest(pointer.current.id).artifacts["search_index"]
    directory = store.artifacts.directory(record.kind, record.digest).resolve()
    index, encoder = (
        OpenIndex.open(directory, IndexFacts(**record.facts)),
        QueryEncoder(home / "assets"),
    )
    caller = Caller(frozenset(), published_only=True, now_us=int(time.time() * 1e6))
    spent: dict[str, list[float]] = {}
    for query in asked:
        started = time.perf_counter()
        vector = encoder.encode(query)
        spent.setdefault("embedding", []).append((time.perf_counter() - started) * 1000)
        outcome = index.search(SearchRequest(query, 10, 3, caller), vector)
        for arm, milliseconds in outcome.timings_ms.items():
            spent.setdefault(arm, []).append(milliseconds)
    index.close()
    return {arm: values[WARM_UP_QUERIES:] for arm, values in spent.items()}


def http_ms(service: Service, asked: list[str], clients: int) -> tuple[list[float], float]:
    """Return milliseconds per request, and requests per second, of `clients` asking at once."""
    shares = [asked[number::clients] for number in range(clients)]
    started = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        spent = [
            value
            for values in pool.map(lambda share: ask(service, share), shares)
            for value in values
        ]
    return spent, len(spent) / (time.perf_counter() - started)


def ask(service: Service, asked: list[str]) -> list[float]:
    """Ask one question after the other; return milliseconds for each."""
    spent = []
    with service.client() as client:
        for query in asked:
            started = time.perf_counter()
            client.post("/search", json={"query": query}).raise_for_status()
            spent.append((time.perf_counter() - started) * 1000)
    return spent


def line(name: str, values: list[float], more: str = "") -> str:
    """Return a table row with p50 and p95."""
    return (
        f"| {name} | {np.percentile(values, 50):.1f} | {np.percentile(values, 95):.1f} | {more} |"
    )


def print_measured(home: Path, queries: int) -> None:
    """Print the table of a home, a line as soon as it is known."""
    store = GenerationStore(home / "store")
    print("| | p50 ms | p95 ms | |\n|---|---|---|---|")
    for arm, values in arms_ms(home, questions(store, queries, seed=1)).items():
        print(line(arm, values))
    with running_service(home) as service:
        http_ms(service, questions(store, WARM_UP_QUERIES, seed=2), clients=1)
        for clients in CLIENTS:
            values, rate = http_ms(service, questions(store, queries, seed=2 + clients), clients)
            print(line(f"/search, {clients} clients", values, f"{rate:.0f} requests/s"))


def main(
    home: Path, queries: Annotated[int, typer.Option(help="Questions per measurement.")] = 300
) -> None:
    """Measure the service of one home."""
    print_measured(home, queries)


if __name__ == "__main__":
    typer.run(main)
