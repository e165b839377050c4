"""Running the application on a socket of its own, until a signal stops it."""

import socket

import uvicorn
from fastapi import FastAPI

from zp_pipeline.shared.errors import SettingsError

BACKLOG = 2048
# What is under way may end; then the process goes, whoever still holds a connection.
SHUTDOWN_SECONDS = 10


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises `SettingsError` when the port is taken or not ours."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SettingsError(
            f"ZP_API_HOST, ZP_API_PORT: cannot listen on port {port}: {reason}"
        ) from None


def serve(app: FastAPI, listener: socket.socket) -> None:
    """Serve `app` on `listener` until SIGINT or SIGTERM."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listener])
