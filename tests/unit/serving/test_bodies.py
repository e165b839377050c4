"""Bodies: the length of the question is one kind of fault, everything else another; no echo."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zp_serving.bodies import parse_json
from zp_serving.contract import SearchBody
from zp_serving.errors import InvalidQuery, InvalidRequest


def parse(**fields: Any) -> SearchBody:
    return parse_json(SearchBody, json.dumps(fields).encode())


def test_parse_question_trimmed_and_defaults_filled() -> None:
    body = parse(query="  kto učí?\n")
    assert (body.query, body.limit, body.published_only) == ("kto učí?", 10, True)
    assert body.max_per_document == 3


@pytest.mark.parametrize("length", [1, 2000])
def test_parse_question_at_the_limits_accepted(length: int) -> None:
    assert len(parse(query=" " + "ž" * length + " ").query) == length


@pytest.mark.parametrize("query", ["", " \n\t", "x" * 2001])
def test_parse_question_empty_or_too_long_is_invalid_query(query: str) -> None:
    with pytest.raises(InvalidQuery):
        parse(query=query)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "query"),
        ({"query": None}, "query"),
        ({"query": 7}, "query"),
        ({"query": ["a"]}, "query"),
        ({"query": "a", "limit": 0}, "limit"),
        ({"query": "a", "limit": 51}, "limit"),
        ({"query": "a", "limit": 10**30}, "limit"),
        ({"query": "a", "limit": "10"}, "limit"),
        ({"query": "a", "limit": 1.5}, "limit"),
        ({"query": "a", "limit": True}, "limit"),
        ({"query": "a", "max_per_document": 21}, "max_per_document"),
        ({"query": "a", "published_only": "false"}, "published_only"),
        ({"query": "", "limit": 0}, "limit"),
        ({"query": "a", "groups": ["staff"]}, "neznáme pole"),
    ],
)
def test_parse_other_faults_named_by_field(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidRequest, match=named):
        parse(**fields)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"query": "\\ud800"}',
        b'{"query": NaN}',
        b"[" * 100_000,
        b'{"query":' * 50_000,
        b'{"query": "a", "limit": ' + b"9" * 5000 + b"}",
    ],
)
def test_parse_unusable_json_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        parse_json(SearchBody, body)


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"null", b"7"])
def test_parse_json_that_is_no_object_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest, match="objekt"):
        parse_json(SearchBody, body)


def test_parse_unknown_field_and_value_not_echoed() -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse(query="a", tajomstvo="heslo", limit="hodnota")
    assert not any(word in str(caught.value) for word in ("tajomstvo", "heslo", "hodnota"))


@given(st.binary(max_size=200))
def test_parse_any_bytes_refused_or_parsed(body: bytes) -> None:
    try:
        assert isinstance(parse_json(SearchBody, body), SearchBody)
    except (InvalidQuery, InvalidRequest) as refusal:
        assert len(str(refusal)) < 200


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=50))
def test_parse_any_text_as_question_kept(query: str) -> None:
    if query.strip():
        assert parse(query=query).query == query.strip()
