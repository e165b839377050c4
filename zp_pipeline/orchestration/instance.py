"""The Dagster instance of a ZP_HOME: its folder and settings."""

import os
from importlib.resources import files
from pathlib import Path

import dagster as dg

from zp_pipeline.shared.generation.durable_files import replace_text


def prepare_dagster_home(directory: Path) -> None:
    """Write Dagster's settings where there are none; a file that somebody changed is kept."""
    path = directory / "dagster.yaml"
    if not path.exists():
        text = (
            files("zp_pipeline.orchestration").joinpath("dagster.yaml").read_text(encoding="utf-8")
        )
        replace_text(path, text)


def open_instance(directory: Path) -> dg.DagsterInstance:
    """Return the instance of `directory`, for commands that run without the Dagster servers."""
    prepare_dagster_home(directory)
    os.environ["DAGSTER_HOME"] = str(directory)
    return dg.DagsterInstance.get()
