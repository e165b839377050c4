"""The record of the model assets: what they are, where they come from, and a digest of each file.

Read by both sides before they open a model file; written only by `zp_pipeline.embedding.assets`.
The assets folder holds other things beside the model, which are none of this record's.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from zp_pipeline.shared.errors import ModelAssetsError

MANIFEST_FILE = "model-manifest.json"
MODEL_FOLDER = "model"
ONNX_FOLDER = "onnx"
REMEDY = "run `zp assets prepare`"


class FileRecord(BaseModel):
    """Size in bytes and SHA-256 of one file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: int
    sha256: str


class AssetsManifest(BaseModel):
    """What the model assets are. Paths are relative to the assets folder, with forward slashes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal[1] = 1
    model: str
    revision: str
    source: Literal["hub", "package"]
    package: str | None  # name and version, where the source is a package
    fingerprint: str  # of weights, tokenizer and configuration
    files: dict[str, FileRecord]


def load_manifest(assets: Path) -> AssetsManifest:
    """Read the manifest of an assets folder. Raises `ModelAssetsError` where it cannot be read."""
    path = assets / MANIFEST_FILE
    try:
        return AssetsManifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise ModelAssetsError(f"{path} is missing: {REMEDY}") from None
    except ValidationError:
        raise ModelAssetsError(f"{path} cannot be read as a manifest: {REMEDY}") from None


def check_sizes(assets: Path, manifest: AssetsManifest, folder: str = "") -> None:
    """Raise `ModelAssetsError` naming the first file under `folder` that is missing or resized."""
    for name, record in _records(manifest, folder):
        path = assets / name
        if not path.is_file():
            raise ModelAssetsError(f"{path} is missing: {REMEDY}")
        if path.stat().st_size != record.size:
            raise ModelAssetsError(f"{path} does not have its recorded size: {REMEDY}")


def verify_files(assets: Path, manifest: AssetsManifest, folder: str = "") -> None:
    """Raise `ModelAssetsError` naming the first file under `folder` that is not the recorded one.

    Reads every byte: 0.3 s for the 470 MB of one model.
    """
    check_sizes(assets, manifest, folder)
    for name, record in _records(manifest, folder):
        if file_record(assets / name) != record:
            raise ModelAssetsError(f"{assets / name} is not the recorded file: {REMEDY}")


def _records(manifest: AssetsManifest, folder: str) -> list[tuple[str, FileRecord]]:
    return [item for item in manifest.files.items() if item[0].startswith(folder)]


def file_record(path: Path) -> FileRecord:
    """Return size and SHA-256 of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return FileRecord(size=path.stat().st_size, sha256=digest)


def model_fingerprint(files: Mapping[str, FileRecord]) -> str:
    """Return one digest over the files of the sentence-transformers folder.

    The ONNX file is left out: it is made from them, with bytes that hang on library versions.
    """
    lines = (
        f"{name} {record.sha256}\n"
        for name, record in sorted(files.items())
        if name.startswith(f"{MODEL_FOLDER}/")
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
