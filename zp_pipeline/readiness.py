"""The process that builds the head, waits until everything answers, and says READY.

It stays until it is stopped, because the supervisor stops everything when one process ends; it
ends by itself only when there is nothing to serve, or only another wiki.
"""

import json
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.shared.errors import WrongOrigin

READY_PROCESS = "ready"
READY = "READY"
POLL_SECONDS = 0.5
TIMEOUT_SECONDS = 180


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the two servers answer."""

    api: str
    dagster: str


def announce(workspace: Workspace) -> int:
    """Build, wait and say READY, then stay; return 1 when there is nothing to serve."""
    settings = workspace.settings
    addresses = Addresses(
        api=f"http://{settings.api_host}:{settings.api_port}",
        dagster=f"http://127.0.0.1:{settings.dagster_port}",
    )
    if workspace.mirror.uncommitted_changes():
        print("warning: the wiki has uncommitted changes; its last commit is used")
    failure = build_head(workspace.home / "logs")
    # What this home serves is then another wiki than the one that was asked for.
    if failure == WrongOrigin.reason or (failure and workspace.store.pointer() is None):
        return 1
    if not wait_until_ready(addresses):
        print(f"zp: not ready after {TIMEOUT_SECONDS} s; see {workspace.home / 'logs'}")
        return 1
    print(f"{READY} api={addresses.api} dagster={addresses.dagster}")
    signal.pause()
    return 0


def build_head(logs: Path) -> str | None:
    """Run `zp rebuild --pull`; say and return why when the head was not published."""
    command = [str(Path(sys.executable).with_name("zp")), "rebuild", "--pull", "--json"]
    with (logs / "rebuild.log").open("a", encoding="utf-8") as errors:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    if done.returncode == 0:
        return None
    body = json.loads(done.stdout or "{}")
    reason = str(body.get("reason", f"see {logs / 'rebuild.log'}"))
    print(f"zp: the head is not published: {reason}: {body.get('detail', '')}")
    return reason


def wait_until_ready(addresses: Addresses) -> bool:
    """Wait until the API serves a generation and Dagster answers."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
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
