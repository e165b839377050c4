"""What handlers are given: the service, who asks, and the parsed body, in that order.

A body is read only after the key was checked, so that a stranger learns nothing from its faults.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPBearer
from pydantic import BaseModel

from zp_serving.bodies import parse_json, read_body
from zp_serving.contract import ErrorAnswer
from zp_serving.security import KEY_HEADER, CallerContext, require_key
from zp_serving.service import Service

# These two only describe the keys in the OpenAPI document; `require_key` judges them.
_bearer = HTTPBearer(auto_error=False, description="`SEARCH_API_KEY` as a bearer token.")
_api_key = APIKeyHeader(name=KEY_HEADER, auto_error=False, description="`SEARCH_API_KEY`.")

ERROR_STATUSES = (400, 401, 403, 413, 422, 500, 503)
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": "Error, in the envelope of every answer."}
    for status in ERROR_STATUSES
}

BodyModel = TypeVar("BodyModel", bound=BaseModel)


async def service_of(request: Request) -> Service:
    """Return the state of the application."""
    return cast(Service, request.app.state.service)


ServiceDep = Annotated[Service, Depends(service_of)]


async def search_caller(
    request: Request,
    service: ServiceDep,
    bearer: Annotated[object, Security(_bearer)],
    api_key: Annotated[object, Security(_api_key)],
) -> CallerContext:
    """Return who asks with the search key. Raises `Unauthorized`."""
    require_key(request.headers, service.search_key)
    return service.identities.caller(request.headers, service.clock())


CallerDep = Annotated[CallerContext, Depends(search_caller)]


def body_of(model: type[BodyModel]) -> Callable[[Request, CallerContext], Awaitable[BodyModel]]:
    """Return a dependency that reads the body as `model` from a caller with the search key."""

    async def read(request: Request, caller: CallerDep) -> BodyModel:
        return parse_json(model, await read_body(request))

    return read


def describe_body(model: type[BaseModel]) -> dict[str, Any]:
    """Return the OpenAPI description of a body that is read by `body_of`."""
    content = {"application/json": {"schema": model.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}
