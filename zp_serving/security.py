"""Who asks: the service's key, and the groups of the person on whose behalf it calls.

Groups come from the session that the calling service vouches for, never from question or body.
"""

import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import jwt
from pydantic import SecretStr
from starlette.datastructures import Headers

from zp_serving.errors import Unauthorized
from zp_serving.user_groups import UserGroups, clean_groups

KEY_HEADER = "X-API-Key"
GROUPS_HEADER = "X-User-Groups"
USER_HEADERS = "X-OpenWebUI-User-"
TOKEN_HEADER = f"{USER_HEADERS}Jwt"
TOKEN_ISSUER = "open-webui"


@dataclass(frozen=True, slots=True)
class CallerContext:
    """On whose behalf, and when, a question is asked; `now` carries a time zone."""

    groups: frozenset[str]
    is_person: bool
    now: datetime


def require_key(headers: Headers, expected: SecretStr) -> None:
    """Raise `Unauthorized` unless a key in the headers is the expected one, in constant time."""
    wanted = expected.get_secret_value().encode()
    # Headers reach us decoded as Latin-1; this gives back the bytes that were sent.
    presented = [key.encode("latin-1") for key in _presented_keys(headers)]
    if not any([hmac.compare_digest(key, wanted) for key in presented]):
        raise Unauthorized


def _presented_keys(headers: Headers) -> list[str]:
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    bearer = [token.strip()] if scheme.lower() == "bearer" else []
    return bearer + headers.getlist(KEY_HEADER)


class Identities:
    """Reads the person's identity from the headers of a request that had the service's key."""

    def __init__(self, token_secret: SecretStr | None, user_groups: UserGroups | None) -> None:
        """Believe tokens signed with `token_secret`; without one no token grants anything."""
        self._token_secret = token_secret
        self._user_groups = user_groups

    def caller(self, headers: Headers, now: datetime) -> CallerContext:
        """Return who asks. Raises `Unauthorized` for what has no valid signature."""
        claims = self._claims(headers)
        return CallerContext(self._groups(headers, claims), _names_person(headers), now)

    def _claims(self, headers: Headers) -> dict[str, Any]:
        if self._token_secret is None:
            return {}
        if (token := headers.get(TOKEN_HEADER)) is not None:
            return verified_claims(token, self._token_secret)
        if GROUPS_HEADER in headers:
            raise Unauthorized
        return {}

    def _groups(self, headers: Headers, claims: dict[str, Any]) -> frozenset[str]:
        if GROUPS_HEADER in headers:
            return clean_groups(",".join(headers.getlist(GROUPS_HEADER)).split(","))
        email = claims.get("email")
        if self._user_groups is None or not isinstance(email, str):
            return frozenset()
        return self._user_groups.groups_of(email)


def verified_claims(token: str, secret: SecretStr) -> dict[str, Any]:
    """Return what a token of Open WebUI says. Raises `Unauthorized` unless it is valid now."""
    try:
        return jwt.decode(
            token,
            secret.get_secret_value(),
            algorithms=["HS256"],
            issuer=TOKEN_ISSUER,
            # The issuer's clock may be ahead of ours; only the expiry limits a token.
            options={"require": ["exp", "iss"], "verify_iat": False},
        )
    except jwt.PyJWTError:
        raise Unauthorized from None


def _names_person(headers: Headers) -> bool:
    prefix = USER_HEADERS.lower()
    return GROUPS_HEADER in headers or any(name.startswith(prefix) for name in headers)
