"""The socket of the service: a taken port is a clear error."""

import socket

import pytest

from zp_pipeline.shared.errors import SettingsError
from zp_serving.server import listen


def test_listen_taken_port_named() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"ZP_API_PORT.*{port}"):
            listen("127.0.0.1", port)


def test_listen_free_port_accepts_connections() -> None:
    with listen("127.0.0.1", 0) as listener:
        socket.create_connection(listener.getsockname(), timeout=5).close()
