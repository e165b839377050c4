"""Request bodies: read up to a limit, parsed into models of the contract, faults named by field.

Nothing that was sent, unknown field names included, becomes part of a message.
"""

from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from zp_serving.errors import InvalidQuery, InvalidRequest, Refusal, TooLarge

MAX_BODY_BYTES = 256 * 1024

NOT_JSON = "telo nie je platný JSON"
NOT_AN_OBJECT = "telo musí byť objekt"
UNKNOWN_FIELD = "neznáme pole"

BodyModel = TypeVar("BodyModel", bound=BaseModel)


async def read_body(request: Request, limit: int = MAX_BODY_BYTES) -> bytes:
    """Return the body. Raises `TooLarge` as soon as more than `limit` bytes have come."""
    body = bytearray()
    try:
        async for block in request.stream():
            body += block
            if len(body) > limit:
                raise TooLarge
    except ClientDisconnect:
        raise InvalidRequest([NOT_JSON]) from None
    return bytes(body)


def parse_json(model: type[BodyModel], body: bytes | str) -> BodyModel:
    """Return the body as `model`. Raises `InvalidQuery` or `InvalidRequest`."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise refusal_of(error) from None


def refusal_of(error: ValidationError) -> Refusal:
    """Return what a caller is told: a question of the wrong length is its own kind of fault."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    if all(fault["type"] == InvalidQuery.reason for fault in faults):
        return InvalidQuery()
    return InvalidRequest(sorted({_name(fault["type"], fault["loc"]) for fault in faults}))


def _name(kind: str, location: tuple[int | str, ...]) -> str:
    if kind == "json_invalid":
        return NOT_JSON
    if kind == "extra_forbidden":
        return UNKNOWN_FIELD
    return str(location[0]) if location else NOT_AN_OBJECT
