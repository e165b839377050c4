"""What the service refuses a caller, as exceptions; each knows its HTTP status and Slovak text.

    ZpError
    └── Refusal                     str() is what the caller reads: no values, no paths
        ├── InvalidQuery            400
        ├── Unauthorized            401
        ├── Forbidden               403
        ├── NotFound                404
        ├── MethodNotAllowed        405
        ├── TooLarge                413
        ├── InvalidRequest          422
        ├── InternalError           500
        └── RetrievalUnavailable    503

The library raises these; `zp_serving.contract.error_result` turns them into answers.
"""

from collections.abc import Iterable
from typing import ClassVar

from zp_pipeline.shared.errors import ZpError


class Refusal(ZpError):
    """Base of the refusals; the message is the class's `detail` unless another is given."""

    http_status: ClassVar[int]
    detail: ClassVar[str]

    def __init__(self, detail: str | None = None) -> None:
        """Refuse with `detail`, which must not hold anything that the caller sent."""
        super().__init__(detail or self.detail)


class InvalidQuery(Refusal):
    """The question is empty or too long."""

    http_status = 400
    reason = "invalid_query"
    detail = "Otázka musí mať 1 až 2000 znakov."


class Unauthorized(Refusal):
    """The key is missing, wrong or another endpoint's, or a signature is bad."""

    http_status = 401
    reason = "unauthorized"
    detail = "Chýba platný kľúč alebo podpis."


class Forbidden(Refusal):
    """The caller is known, and may not do this."""

    http_status = 403
    reason = "forbidden"
    detail = "Na túto požiadavku nemáte oprávnenie."


class NotFound(Refusal):
    """There is nothing at this address."""

    http_status = 404
    reason = "not_found"
    detail = "Na tejto adrese nič nie je."


class MethodNotAllowed(Refusal):
    """The address exists, for another method."""

    http_status = 405
    reason = "method_not_allowed"
    detail = "Táto metóda tu nie je povolená."


class TooLarge(Refusal):
    """The body is over the limit."""

    http_status = 413
    reason = "too_large"
    detail = "Telo požiadavky je príliš veľké."


class InvalidRequest(Refusal):
    """The body has a fault other than the length of the question."""

    http_status = 422
    reason = "invalid_request"
    detail = "Požiadavka nie je platná."

    def __init__(self, faults: Iterable[str] = ()) -> None:
        """Name the `faults`: our own names of fields, or what is wrong with the body as a whole."""
        listed = ", ".join(faults)
        super().__init__(f"Požiadavka nie je platná: {listed}." if listed else None)


class InternalError(Refusal):
    """Something that we did not foresee."""

    http_status = 500
    reason = "internal_error"
    detail = "Nastala neočakávaná chyba."


class RetrievalUnavailable(Refusal):
    """There is no generation to answer from, or it cannot be read."""

    http_status = 503
    reason = "retrieval_unavailable"
    detail = "Vyhľadávanie teraz nie je dostupné, skúste to neskôr."
