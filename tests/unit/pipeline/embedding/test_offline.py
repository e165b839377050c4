"""The block in which the network is forbidden."""

import socket
import threading

import pytest

from zp_pipeline.embedding.offline import network_forbidden
from zp_pipeline.shared.errors import ModelAssetsError


def test_network_forbidden_connection_is_refused() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        network_forbidden(),
        pytest.raises(ModelAssetsError, match="asks for the network"),
    ):
        socket.create_connection(server.getsockname())


def test_network_forbidden_name_lookup_is_refused() -> None:
    with network_forbidden(), pytest.raises(ModelAssetsError, match="getaddrinfo"):
        socket.getaddrinfo("localhost", 80)


def test_network_forbidden_ends_with_the_block() -> None:
    with pytest.raises(KeyError), network_forbidden():
        raise KeyError

    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


def test_network_forbidden_leaves_other_threads_alone() -> None:
    reached = threading.Event()

    def connect(address: tuple[str, int]) -> None:
        socket.create_connection(address).close()
        reached.set()

    with socket.create_server(("127.0.0.1", 0)) as server, network_forbidden():
        other = threading.Thread(target=connect, args=[server.getsockname()])
        other.start()
        other.join()

    assert reached.is_set()
