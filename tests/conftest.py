"""What holds for every test: nothing reaches outside the machine, no setting leaks in."""

import os
import sys
from pathlib import Path
from typing import Any

OURS = (
    "ZP_",
    "CHUNK_",
    "EMBEDDING_",
    "SEARCH_API_KEY",
    "SYNC_API_KEY",
    "WEBHOOK_SECRET",
    "DAGSTER_HOME",
)
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


class OutsideConnection(BaseException):
    """A test tried to leave the machine. Not an `Exception`: no code under test may swallow it."""


def refuse_outside(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: raise when a socket connects, or a name is resolved, beyond loopback."""
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if host and not str(host).startswith(LOOPBACK):
        raise OutsideConnection(f"{event} {host}")


def pytest_configure() -> None:
    """Forbid the network and forget the settings of whoever runs the tests."""
    sys.addaudithook(refuse_outside)
    for name in [name for name in os.environ if name.startswith(OURS)]:
        del os.environ[name]
    # Commands under test are subprocesses, which the hook above does not reach.
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", OPENBLAS_NUM_THREADS="1")
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
