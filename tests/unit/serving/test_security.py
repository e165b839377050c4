"""Who asks: the key in either header, groups only from those who may name them."""

import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from pydantic import SecretStr
from starlette.datastructures import Headers

from tests.unit.serving.serving_fakes import NOW, SEARCH_KEY, SYNC_KEY, TOKEN_SECRET
from zp_serving.errors import Unauthorized
from zp_serving.security import CallerContext, Identities, require_key
from zp_serving.user_groups import UserGroups

KEY = SecretStr(SEARCH_KEY)
GROUPS, TOKEN, EMAIL = "X-User-Groups", "X-OpenWebUI-User-Jwt", "X-OpenWebUI-User-Email"


def sign(secret: str = TOKEN_SECRET, algorithm: str = "HS256", **changes: Any) -> str:
    claims: dict[str, Any] = {
        "iss": "open-webui",
        "exp": time.time() + 300,
        "sub": "u1",
        "email": "jana@example.org",
    }
    kept = {name: value for name, value in (claims | changes).items() if value is not None}
    return jwt.encode(kept, secret, algorithm=algorithm)


@pytest.fixture
def signed(tmp_path: Path) -> Identities:
    path = tmp_path / "groups.yaml"
    path.write_text("jana@example.org: [staff]\n", encoding="utf-8")
    return Identities(SecretStr(TOKEN_SECRET), UserGroups(path))


def ask(identities: Identities, **headers: str) -> CallerContext:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return identities.caller(Headers(named), NOW)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-API-Key": SEARCH_KEY},
        {"Authorization": f"Bearer {SEARCH_KEY}"},
        {"authorization": f"bearer {SEARCH_KEY}"},
        {"Authorization": "Basic eDp5", "X-API-Key": SEARCH_KEY},
    ],
)
def test_require_key_right_key_accepted(headers: dict[str, str]) -> None:
    require_key(Headers(headers), KEY)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-API-Key": ""},
        {"X-API-Key": SYNC_KEY},
        {"X-API-Key": SEARCH_KEY[:-1]},
        {"X-API-Key": "kľúč".encode().decode("latin-1")},
        {"Authorization": SEARCH_KEY},
        {"Authorization": f"Basic {SEARCH_KEY}"},
        {"Authorization": "Bearer"},
    ],
)
def test_require_key_other_keys_refused(headers: dict[str, str]) -> None:
    with pytest.raises(Unauthorized):
        require_key(Headers(headers), KEY)


def test_caller_key_alone_is_no_person_and_has_no_groups() -> None:
    assert ask(Identities(None, None)) == CallerContext(frozenset(), False, NOW)


def test_caller_groups_header_without_secret_believed() -> None:
    caller = ask(Identities(None, None), X_User_Groups="staff, phd,Bad Name,,x' OR 1")
    assert caller == CallerContext(frozenset({"staff", "phd"}), True, NOW)


def test_caller_groups_in_two_headers_joined() -> None:
    raw = [(b"x-user-groups", b"staff"), (b"x-user-groups", b"phd")]
    caller = Identities(None, None).caller(Headers(raw=raw), NOW)
    assert caller.groups == {"staff", "phd"}


def test_caller_empty_groups_header_is_person_without_groups(signed: Identities) -> None:
    caller = ask(signed, **{GROUPS: "", TOKEN: sign()})
    assert caller == CallerContext(frozenset(), True, NOW)


def test_caller_unsigned_user_headers_grant_nothing(signed: Identities) -> None:
    caller = ask(signed, **{EMAIL: "jana@example.org"})
    assert caller == CallerContext(frozenset(), True, NOW)


def test_caller_token_without_secret_grants_nothing() -> None:
    assert ask(Identities(None, None), **{TOKEN: sign()}) == CallerContext(frozenset(), True, NOW)


def test_caller_groups_header_without_token_refused_where_secret_set(signed: Identities) -> None:
    with pytest.raises(Unauthorized):
        ask(signed, **{GROUPS: "staff"})


def test_caller_signed_header_wins_over_file(signed: Identities) -> None:
    assert ask(signed, **{GROUPS: "phd", TOKEN: sign()}).groups == {"phd"}


def test_caller_signed_without_header_gets_groups_of_file(signed: Identities) -> None:
    assert ask(signed, **{TOKEN: sign()}).groups == {"staff"}


def test_caller_signed_without_email_has_no_groups(signed: Identities) -> None:
    assert ask(signed, **{TOKEN: sign(email=None)}).groups == frozenset()


@pytest.mark.parametrize(
    "token",
    [
        "",
        "not.a.token",
        sign(secret="another-" + "a" * 32),
        sign(exp=time.time() - 1),
        sign(exp=None),
        sign(iss="someone"),
        sign(iss=None),
        jwt.encode({"iss": "open-webui", "exp": time.time() + 300}, "", algorithm="none"),
        sign(secret="t" * 64, algorithm="HS512"),
    ],
    ids=[
        *("empty", "no token", "other secret", "expired", "endless"),
        *("other issuer", "no issuer", "unsigned", "other algorithm"),
    ],
)
@pytest.mark.parametrize("groups", [{}, {GROUPS: "staff"}], ids=["no groups", "groups"])
def test_caller_invalid_token_refused(
    signed: Identities, token: str, groups: dict[str, str]
) -> None:
    with pytest.raises(Unauthorized):
        ask(signed, **{TOKEN: token}, **groups)
