"""The real service as a process, for benchmarks that measure it from outside."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

START_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Service:
    """A running service and the key to it."""

    url: str
    key: str

    def client(self) -> httpx.Client:
        """Return a client with a connection of its own."""
        return httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {self.key}"}, timeout=60
        )


@contextmanager
def running_service(home: Path) -> Iterator[Service]:
    """Serve the published generation of `home` on a free port until the block ends."""
    port, key = free_port(), secrets.token_hex(32)
    environment = {
        **os.environ,
        "ZP_HOME": str(home),
        "ZP_API_PORT": str(port),
        "SEARCH_API_KEY": key,
        "SYNC_API_KEY": secrets.token_hex(32),
        "WEBHOOK_SECRET": secrets.token_hex(32),
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [str(Path(sys.executable).with_name("zp")), "serve"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        service = Service(f"http://127.0.0.1:{port}", key)
        wait_until_ready(service.url)
        yield service
    finally:
        process.terminate()
        process.wait()


def wait_until_ready(url: str) -> None:
    """Wait for a served generation. Raises `TimeoutError`."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if health(url).get("ready"):
            return
        time.sleep(0.2)
    raise TimeoutError(f"{url} was not ready within {START_SECONDS} s")


def health(url: str) -> dict[str, Any]:
    """Return `/health`, or nothing while nobody listens."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as response:
            return dict(json.load(response))
    except OSError:
        return {}


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
