"""Everything in the foreground: the processes of the Procfile, the first build, and the READY line.

Starting, relaying and stopping processes is honcho's part; a process that ends takes the others
with it. Logs go to `$ZP_HOME/logs`, one file per process.
"""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from honcho.environ import parse_procfile
from honcho.manager import Manager

from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.instance import open_instance
from zp_pipeline.ports import refuse_taken_port

POLL_SECONDS = 0.5
READY_TIMEOUT_SECONDS = 180


class LogPrinter:
    """Writes each process's lines into its own file; the interface is that of honcho's printer."""

    def __init__(self, directory: Path) -> None:
        """Write below `directory`, which is made where needed."""
        directory.mkdir(parents=True, exist_ok=True)
        self.width = 0
        self._directory = directory
        self._files: dict[str, TextIO] = {}

    def write(self, message: Any) -> None:
        """Append one message of honcho's."""
        text = (
            message.data.decode("utf-8", "replace")
            if isinstance(message.data, bytes)
            else message.data
        )
        if message.name not in self._files:
            path = self._directory / f"{message.name}.log"
            self._files[message.name] = path.open("a", encoding="utf-8", buffering=1)
        self._files[message.name].write(text)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the two servers answer."""

    api: str
    dagster: str


def supervise(workspace: Workspace, procfile: Path) -> int:
    """Run everything until Ctrl-C or until a process ends; return the exit code."""
    settings = workspace.settings
    refuse_taken_port("ZP_API_PORT", settings.api_host, settings.api_port)
    refuse_taken_port("ZP_DAGSTER_PORT", "127.0.0.1", settings.dagster_port)
    # Two processes that both make Dagster's database at once would trip over each other.
    open_instance(workspace.dagster_home).dispose()
    logs = workspace.home / "logs"
    manager = Manager(LogPrinter(logs))
    environment = {**os.environ, **process_environment(workspace)}
    for name, command in parse_procfile(procfile.read_text(encoding="utf-8")).processes.items():
        manager.add_process(name, command, env=environment)
    threading.Thread(target=announce, args=(workspace, manager, environment), daemon=True).start()
    manager.loop()
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


def announce(workspace: Workspace, manager: Manager, environment: dict[str, str]) -> None:
    """Build the head, wait for both servers, and print the READY line; stop everything on failure."""
    addresses = Addresses(
        api=f"http://{workspace.settings.api_host}:{workspace.settings.api_port}",
        dagster=f"http://127.0.0.1:{workspace.settings.dagster_port}",
    )
    if workspace.mirror.uncommitted_changes():
        print("warning: the wiki has uncommitted changes; its last commit is used", file=sys.stderr)
    built = build_head(workspace.home / "logs" / "rebuild.log", environment)
    if not built and workspace.store.pointer() is None:
        manager.terminate()
    elif wait_until_ready(addresses):
        print(f"READY api={addresses.api} dagster={addresses.dagster}", flush=True)
    else:
        print(f"zp: not ready after {READY_TIMEOUT_SECONDS} s; see logs/", file=sys.stderr)
        manager.terminate()


def build_head(log: Path, environment: dict[str, str]) -> bool:
    """Run `zp rebuild --pull`; tell on stderr why when the head was not published."""
    command = [str(Path(sys.executable).with_name("zp")), "rebuild", "--pull", "--json"]
    with log.open("a", encoding="utf-8") as errors:
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    if done.returncode == 0:
        return True
    body = json.loads(done.stdout) if done.stdout.startswith("{") else {"reason": f"see {log}"}
    print(
        f"zp: not published: {body['reason']} {body.get('detail', '')}", file=sys.stderr, flush=True
    )
    return False


def wait_until_ready(addresses: Addresses) -> bool:
    """Wait until the API serves a generation and Dagster answers."""
    deadline = time.monotonic() + READY_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        health = get_json(f"{addresses.api}/health")
        if health.get("ready") and get_json(f"{addresses.dagster}/server_info"):
            return True
        time.sleep(POLL_SECONDS)
    return False


def get_json(url: str) -> dict[str, Any]:
    """Return what a server answers, or nothing while it does not."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return dict(json.load(response))
    except (OSError, ValueError):
        return {}
