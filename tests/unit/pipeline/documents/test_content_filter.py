"""Which files are pages, and how bytes become text with the same lines."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.documents.content_filter import decode, reason_to_skip
from zp_pipeline.shared.text.normalisation import normalise_text


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"a\0b", "binary"),
        (b"b0VIM 8.2\0\0\0", "binary"),
        ("\ufeffnadpis".encode("utf-16-le"), "binary"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "lfs_pointer"),
        (b"x" * 101, "too_large"),
    ],
)
def test_reason_to_skip_file_that_is_no_page(raw: bytes, code: str) -> None:
    reason = reason_to_skip(raw, max_bytes=100)
    assert reason is not None
    assert reason.code == code


@pytest.mark.parametrize("raw", [b"", b"# Nadpis", b"x" * 100, b"\xff\xfe"])
def test_reason_to_skip_page_is_none(raw: bytes) -> None:
    assert reason_to_skip(raw, max_bytes=100) is None


@pytest.mark.parametrize(
    ("raw", "text", "code", "line"),
    [
        (b"\xef\xbb\xbfa\n", "a\n", "bom", 1),
        (b"a\nb\r\nc\r\n", "a\nb\nc\n", "crlf", 2),
        (b"a\rb\r", "a\nb\n", "cr", None),
        (b"a\rb\nc", "a b\nc", "cr", None),
        ("a\nk\u0142u\u010d c\u030c".encode(), "a\nk\u0142u\u010d \u010d", "not_nfc", 2),
        ("á\nk".encode() + b"\xe8", "á\nkč", "not_utf8", 2),
        ("Žilina ťažko".encode("cp1250"), "Žilina ťažko", "not_utf8", 1),
        (b"a\x81", "a\\x81", "not_utf8", 1),
    ],
)
def test_decode_repairs_and_warns(raw: bytes, text: str, code: str, line: int | None) -> None:
    decoded, warnings = decode(raw)
    assert decoded == text
    assert [(warning.code, warning.line) for warning in warnings] == [(code, line)]


def test_decode_clean_page_has_no_warnings() -> None:
    assert decode("# Žltý kôň\n".encode()) == ("# Žltý kôň\n", [])


@settings(deadline=None)
@given(st.text())
def test_normalise_text_twice_is_once(text: str) -> None:
    normalised = normalise_text(text)
    assert normalise_text(normalised) == normalised
    assert "\r" not in normalised
