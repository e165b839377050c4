"""The one place where an exception becomes an HTTP response."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from zp_serving.contract import error_result
from zp_serving.errors import InternalError, MethodNotAllowed, NotFound, Refusal

# What the framework refuses by itself.
_BY_STATUS: dict[int, type[Refusal]] = {404: NotFound, 405: MethodNotAllowed}
_HEADERS_BY_STATUS: dict[int, Mapping[str, str]] = {401: {"WWW-Authenticate": "Bearer"}}


def error_response(error: Exception, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response for `error`, in the envelope of the contract."""
    result = error_result(error)
    return Response(
        result.answer.model_dump_json(),
        status_code=result.http_status,
        headers={**_HEADERS_BY_STATUS.get(result.http_status, {}), **(headers or {})},
        media_type="application/json",
    )


async def handle_error(request: Request, error: Exception) -> Response:
    """Answer one of our own errors."""
    return error_response(error)


async def handle_http_exception(request: Request, error: Exception) -> Response:
    """Answer an address or method that is not there, keeping headers such as `Allow`."""
    assert isinstance(error, HTTPException)
    refusal = _BY_STATUS.get(error.status_code, InternalError)
    return error_response(refusal(), error.headers)
