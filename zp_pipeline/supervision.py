"""Everything in the foreground: the processes of the Procfile, each with a log of its own.

Starting, relaying and stopping processes is honcho's part; one that ends takes the others with it.
What the process `ready` says is for whoever started everything; what it does is in `readiness`.
"""

import os
import sys
from pathlib import Path
from typing import Any, TextIO

from honcho.environ import parse_procfile
from honcho.manager import Manager

from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.instance import open_instance
from zp_pipeline.ports import refuse_taken_port
from zp_pipeline.readiness import READY, READY_PROCESS


class LogPrinter:
    """Writes each process's lines into a file of its own; the interface is honcho's printer's."""

    def __init__(self, directory: Path) -> None:
        """Write below `directory`, which is made where needed."""
        directory.mkdir(parents=True, exist_ok=True)
        self.width = 0
        self._directory = directory
        self._files: dict[str, TextIO] = {}

    def write(self, message: Any) -> None:
        """Pass on one line of a process, as honcho's message has it."""
        data = message.data
        text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
        self._file(message.name).write(text)
        if message.name == READY_PROCESS:
            stream = sys.stdout if text.startswith(READY) else sys.stderr
            print(text, end="", flush=True, file=stream)

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()

    def _file(self, name: str) -> TextIO:
        if name not in self._files:
            path = self._directory / f"{name}.log"
            self._files[name] = path.open("a", encoding="utf-8", buffering=1)
        return self._files[name]


def supervise(workspace: Workspace, procfile: Path) -> int:
    """Run everything until Ctrl-C or until a process ends; return the exit code."""
    settings = workspace.settings
    refuse_taken_port("ZP_API_PORT", settings.api_host, settings.api_port)
    refuse_taken_port("ZP_DAGSTER_PORT", "127.0.0.1", settings.dagster_port)
    # Two processes that both make Dagster's database at once would trip over each other.
    open_instance(workspace.dagster_home).dispose()
    printer = LogPrinter(workspace.home / "logs")
    manager = Manager(printer)
    environment = {**os.environ, **process_environment(workspace)}
    for name, command in parse_procfile(procfile.read_text(encoding="utf-8")).processes.items():
        manager.add_process(name, command, env=environment)
    manager.loop()
    printer.close()
    return int(manager.returncode or 0)


def process_environment(workspace: Workspace) -> dict[str, str]:
    """Return what the processes need to know of this home."""
    return {
        "ZP_HOME": str(workspace.home),
        "ZP_WIKI_URL": workspace.wiki_url,
        "ZP_API_HOST": workspace.settings.api_host,
        "ZP_API_PORT": str(workspace.settings.api_port),
        "ZP_DAGSTER_PORT": str(workspace.settings.dagster_port),
        "DAGSTER_HOME": str(workspace.dagster_home),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
    }
