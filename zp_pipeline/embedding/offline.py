"""Proof that the model loads without the network: a block in which connecting is an error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import local
from typing import Any

from zp_pipeline.shared.errors import ModelAssetsError

FORBIDDEN_EVENTS = frozenset({"socket.connect", "socket.getaddrinfo", "socket.sendto"})

_block = local()


@contextmanager
def network_forbidden() -> Iterator[None]:
    """Make any connection or name lookup by this thread raise `ModelAssetsError` in the block."""
    _install_hook()
    _block.active = True
    try:
        yield
    finally:
        _block.active = False


@cache
def _install_hook() -> None:
    # An audit hook cannot be removed, so it is set once and asks whether a block is active.
    sys.addaudithook(_refuse_network)


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    if event in FORBIDDEN_EVENTS and getattr(_block, "active", False):
        raise ModelAssetsError(f"loading the model asks for the network: {event} {arguments!r}")
