"""Telling early and clearly that a port is taken."""

import socket

from zp_pipeline.shared.errors import SettingsError


def refuse_taken_port(setting: str, host: str, port: int) -> None:
    """Raise `SettingsError` naming the setting when nobody could listen on its port."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            raise SettingsError(
                f"{setting}: port {port} on {host} is taken or forbidden"
            ) from error
