"""What every request passes through: an id, security headers, one log line, the last safety net.

Log lines hold no question, no name of a person and no address that a caller made up.
"""

import re
import traceback
import uuid
from time import perf_counter

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zp_serving.failures import error_response

REQUEST_ID_HEADER = "X-Request-Id"
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_log = structlog.get_logger()


class RequestContext:
    """Gives each request an id and each response its headers, and logs how it went."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection; other kinds than HTTP pass through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope))
        started, status = perf_counter(), 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(MutableHeaders(scope=message), request_id)
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self._app(scope, receive, send_with_headers)
            _log_request(scope, status, perf_counter() - started)


class UnexpectedErrors:
    """Answers what no handler foresaw with `internal_error`, and logs where it came from."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        started = False

        async def watch_start(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watch_start)
        # The edge of the process: what passes here would show its message to caller and log.
        except Exception as error:
            _log.error("unexpected_error", error=type(error).__name__, where=_where(error))
            if started:
                raise
            await error_response(error)(scope, receive, send)


def _request_id(headers: Headers) -> str:
    given = headers.get(REQUEST_ID_HEADER, "")
    return given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex


def _add_headers(headers: MutableHeaders, request_id: str) -> None:
    headers[REQUEST_ID_HEADER] = request_id
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    route = getattr(scope.get("route"), "path", None)
    milliseconds = round(seconds * 1000, 1)
    _log.info(
        "request", method=scope["method"], route=route, status=status, duration_ms=milliseconds
    )


def _where(error: Exception) -> list[str]:
    """Return file, line and function of each frame, without the error's message."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
