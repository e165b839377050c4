"""A retrieval set in BEIR layout: reading it, and making a search index of its passages.

Each passage becomes a page of one chunk without title, open to everyone. The index is written by
the pipeline's own steps; comparing rankings on it is `ranking_study`.
"""

import csv
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from zp_pipeline.embedding.cache import EmbeddingCache
from zp_pipeline.embedding.embeddings import build_embeddings
from zp_pipeline.embedding.passages import PassageEncoder
from zp_pipeline.index.writer import write_index
from zp_pipeline.shared.schema.index import IndexFacts
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US
from zp_pipeline.shared.schema.tables import CHUNKS, DOCUMENTS

BATCH_SIZE = 8


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Passages and questions by id; judgements by question and passage."""

    passages: dict[str, str]
    questions: dict[str, str]
    judgements: dict[str, dict[str, int]]


def read_set(directory: Path) -> RetrievalSet:
    """Read `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`."""
    judgements: dict[str, dict[str, int]] = {}
    with (directory / "qrels.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            judged = judgements.setdefault(row["query-id"], {})
            judged[row["corpus-id"]] = int(row["score"])
    return RetrievalSet(
        passages=_texts(directory / "corpus.jsonl"),
        questions=_texts(directory / "queries.jsonl"),
        judgements=judgements,
    )


def is_dev(question_id: str) -> bool:
    """Tell whether a question may be used for choosing: its id hashes to an even number."""
    return hashlib.sha256(question_id.encode()).digest()[-1] % 2 == 0


def write_set_index(
    directory: Path, passages: dict[str, str], assets: Path, cache: Path
) -> IndexFacts:
    """Embed the passages and write their index into the empty `directory`."""
    documents = pa.Table.from_pylist([_document(*item) for item in passages.items()], DOCUMENTS)
    chunks = pa.Table.from_pylist([_chunk(*item) for item in passages.items()], CHUNKS)
    encoder = PassageEncoder(assets, BATCH_SIZE)
    vectors = EmbeddingCache(cache, encoder.fingerprint)
    embeddings = build_embeddings(documents, chunks, encoder, vectors, _print_progress)
    return write_index(directory, documents, chunks, embeddings.table)


def _texts(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8") as file:
        records = map(json.loads, file)
        return {record["_id"]: record["text"] for record in records}


def _document(path: str, text: str) -> dict[str, object]:
    return {
        **{"path": path, "path_bytes": path.encode(), "blob": "", "title": None, "date": None},
        **{"authors": [], "tags": [], "categories": [], "front_matter": "{}"},
        **{"published": True, "open": True, "allowed_groups": []},
        **{"valid_from_us": ALWAYS_FROM_US, "valid_to_us": ALWAYS_TO_US},
        **{"text": text, "body_start": 0},
    }


def _chunk(path: str, text: str) -> dict[str, object]:
    return {
        **{"chunk_id": path, "path": path, "ordinal": 0, "heading_path": [], "text": text},
        **{"char_start": 0, "own_start": 0, "char_end": len(text)},
        **{"first_line": 1, "last_line": text.count("\n") + 1, "token_count": 0},
        "content_hash": hashlib.sha256(text.encode()).hexdigest(),
    }


def _print_progress(done: int, total: int) -> None:
    print(f"\rembedding {done}/{total}", end="" if done < total else "\n", flush=True)
