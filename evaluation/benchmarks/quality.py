"""How well `/search` finds: a BEIR set as a wiki, built, published, served and asked over HTTP.

`python -m evaluation.benchmarks.quality FOLDER [--home HOME]`. DEV are the queries whose id hashes
to an even number; TEST the rest.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import ir_measures
import typer
from ir_measures import RR, R, Success, nDCG

from evaluation.benchmarks.retrieval_set import RetrievalSet, is_dev, read_set
from evaluation.benchmarks.scratch_home import scratch_home
from evaluation.benchmarks.scratch_wiki import ScratchWiki
from evaluation.benchmarks.service import Service, running_service

MEASURES = [nDCG @ 10, RR @ 10, Success @ 1, Success @ 3, Success @ 5, R @ 5]
LIMIT = 10
LONGEST_QUESTION = 2000
CLIENTS = 2


def page_of(passage: str) -> str:
    """Return the path of a passage's page: its id, with `.md` where that is missing."""
    return passage if passage.endswith(".md") else f"{passage}.md"


def qrels_of(chosen: RetrievalSet) -> list[ir_measures.Qrel]:
    """Return the judgements, by page."""
    return [
        ir_measures.Qrel(question, page_of(passage), grade)
        for question, judged in chosen.judgements.items()
        for passage, grade in judged.items()
    ]


def ask_all(service: Service, queries: dict[str, str]) -> list[ir_measures.ScoredDoc]:
    """Ask every query over HTTP; the score of a result is only its rank."""

    def ask(item: tuple[str, str]) -> list[ir_measures.ScoredDoc]:
        body = {"query": item[1][:LONGEST_QUESTION], "limit": LIMIT, "max_per_document": 1}
        with service.client() as client:
            results = client.post("/search", json=body).raise_for_status().json()["results"]
        return [
            ir_measures.ScoredDoc(item[0], row["document_path"], -row["rank"]) for row in results
        ]

    with ThreadPoolExecutor(CLIENTS) as pool:
        return [scored for scoreds in pool.map(ask, queries.items()) for scored in scoreds]


def report(qrels: list[ir_measures.Qrel], run: list[ir_measures.ScoredDoc]) -> str:
    """Return the measures for DEV, TEST and all as a Markdown table."""
    splits = {
        "dev": [qrel for qrel in qrels if is_dev(qrel.query_id)],
        "test": [qrel for qrel in qrels if not is_dev(qrel.query_id)],
        "all": qrels,
    }
    lines = [
        "| split | queries | " + " | ".join(map(str, MEASURES)) + " |",
        "|---" * (len(MEASURES) + 2) + "|",
    ]
    for name, part in splits.items():
        values = ir_measures.calc_aggregate(MEASURES, part, run)
        cells = " | ".join(f"{values[measure]:.4f}" for measure in MEASURES)
        lines.append(f"| {name} | {len({qrel.query_id for qrel in part})} | {cells} |")
    return "\n".join(lines)


def publish(wiki: Path, home: Path) -> None:
    """Build and publish the wiki with the product's own command."""
    command = [str(Path(sys.executable).with_name("zp")), "rebuild", "--pull", "--json"]
    environment = {**os.environ, "ZP_HOME": str(home), "ZP_WIKI_URL": str(wiki)}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)


def measure_set(folder: Path, home: Path) -> str:
    """Return the table of a set, published in `home`."""
    wiki = home / "benchmark-wiki"
    chosen = read_set(folder)
    if not wiki.exists():
        pages = {page_of(passage): text for passage, text in chosen.passages.items()}
        ScratchWiki.of_pages(pages, wiki)
    publish(wiki, home)
    with running_service(home) as service:
        return report(qrels_of(chosen), ask_all(service, chosen.questions))


def main(
    folder: Path,
    assets: Annotated[Path, typer.Option(help="The prepared model.")] = Path("var/assets"),
    home: Annotated[Path | None, typer.Option(help="Keep the home here.")] = None,
) -> None:
    """Measure one set."""
    with scratch_home(home, assets) as directory:
        print(measure_set(folder, directory))


if __name__ == "__main__":
    typer.run(main)
