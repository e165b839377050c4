"""Preparing and verifying the model assets of a home: `zp assets prepare|verify` call this.

Makes `model/`, `onnx/` and their manifest inside the assets folder, and touches nothing else
there. Everything is built in a staging folder beside; the manifest comes last, so assets are
there whole or not at all.
"""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from zp_pipeline.embedding.local_model import open_model
from zp_pipeline.embedding.model_source import ModelSource, fetch_model
from zp_pipeline.embedding.offline import network_forbidden
from zp_pipeline.shared.embedding.model_manifest import (
    MANIFEST_FILE,
    MODEL_FOLDER,
    ONNX_FOLDER,
    AssetsManifest,
    FileRecord,
    check_sizes,
    file_record,
    load_manifest,
    model_fingerprint,
    verify_files,
)
from zp_pipeline.shared.embedding.query_encoder import QUERY_PREFIX, QueryEncoder
from zp_pipeline.shared.errors import ModelAssetsError
from zp_pipeline.shared.generation.durable_files import sync_path
from zp_pipeline.shared.schema.tables import EMBEDDING_DIMENSIONS

LOCK_FILE = ".model.lock"
STAGING_FOLDER = ".model-staging"
PROBE = "Kto viedol diplomovú prácu o vyhľadávaní informácií?"
LEAST_COSINE = 0.9999


def prepare_assets(
    directory: Path, model: str, revision: str, source: ModelSource = fetch_model
) -> AssetsManifest:
    """Make the assets of a model in `directory`, unless they are there already.

    What is there is judged by its manifest and the files' sizes; `verify_assets` reads all.
    Raises `ModelAssetsError` where the model cannot be had or does not fit this program.
    """
    # Asked before anything is written: whole assets may lie on a read-only file system.
    present = present_assets(directory, model, revision)
    if present is not None:
        return present
    directory.mkdir(parents=True, exist_ok=True)
    with _locked(directory / LOCK_FILE):
        return present_assets(directory, model, revision) or _make(
            directory, model, revision, source
        )


def present_assets(directory: Path, model: str, revision: str) -> AssetsManifest | None:
    """Return the manifest of assets that are whole and of this model and revision, else None."""
    try:
        manifest = load_manifest(directory)
        check_sizes(directory, manifest)
    except ModelAssetsError:
        return None
    return manifest if (manifest.model, manifest.revision) == (model, revision) else None


def verify_assets(directory: Path) -> AssetsManifest:
    """Read every file, and load the model, with the network forbidden.

    Raises `ModelAssetsError` naming the file that is missing or is not the recorded one.
    """
    manifest = load_manifest(directory)
    verify_files(directory, manifest)
    with network_forbidden():
        _check_agreement(directory)
    return manifest


def _make(directory: Path, model: str, revision: str, source: ModelSource) -> AssetsManifest:
    staging = directory / STAGING_FOLDER
    shutil.rmtree(staging, ignore_errors=True)
    try:
        manifest = _build(staging, model, revision, source)
        _install(staging, directory)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return manifest


def _build(staging: Path, model: str, revision: str, source: ModelSource) -> AssetsManifest:
    staging.mkdir()
    origin = source(model, revision, staging / MODEL_FOLDER)
    with network_forbidden():
        _export(staging)
        files = _file_records(staging)
        manifest = AssetsManifest(
            model=model,
            revision=revision,
            source=origin.source,
            package=origin.package,
            fingerprint=model_fingerprint(files),
            files=files,
        )
        (staging / MANIFEST_FILE).write_text(manifest.model_dump_json(indent=2) + "\n", "utf-8")
        _check_agreement(staging)
    return manifest


def _export(staging: Path) -> None:
    from zp_pipeline.embedding.onnx_export import export_onnx

    folder = staging / MODEL_FOLDER
    export_onnx(open_model(folder), folder / "tokenizer.json", staging / ONNX_FOLDER)


def _file_records(staging: Path) -> dict[str, FileRecord]:
    return {
        path.relative_to(staging).as_posix(): file_record(path)
        for path in sorted(staging.rglob("*"))
        if path.is_file()
    }


def _check_agreement(directory: Path) -> None:
    """Raise `ModelAssetsError` unless both engines give one vector of the right shape."""
    query = QueryEncoder(directory).encode(PROBE)
    passage_engine = open_model(directory / MODEL_FOLDER)
    vector = passage_engine.encode(QUERY_PREFIX + PROBE, normalize_embeddings=True)
    if query.shape != (EMBEDDING_DIMENSIONS,) or vector.shape != query.shape:
        raise ModelAssetsError(f"the model gives {vector.shape} values, not {EMBEDDING_DIMENSIONS}")
    cosine = float(np.dot(query, vector))
    if cosine < LEAST_COSINE:
        raise ModelAssetsError(f"the two engines disagree on the model: cosine {cosine:.5f}")


def _install(staging: Path, directory: Path) -> None:
    (directory / MANIFEST_FILE).unlink(missing_ok=True)
    for path in sorted(staging.rglob("*"), reverse=True):
        _settle(path)
    for name in (MODEL_FOLDER, ONNX_FOLDER, MANIFEST_FILE):
        target = directory / name
        if target.is_dir():
            shutil.rmtree(target)
        (staging / name).rename(target)
    sync_path(directory)


def _settle(path: Path) -> None:
    """Make a file read-only, and a file or directory durable."""
    if path.is_file():
        path.chmod(0o444)
    sync_path(path)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
