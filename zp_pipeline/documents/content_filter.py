"""Which files are pages at all, and how their bytes become text.

Belongs here: what is decided before a page has any structure. Front matter comes after.
"""

import codecs
import unicodedata
from collections.abc import Iterator

from zp_pipeline.documents.warning import PageWarning
from zp_pipeline.shared.text.normalisation import normalise_text

LFS_POINTER = b"version https://git-lfs.github.com/spec/"
FALLBACK = "zp.cp1250"


def _as_cp1250(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    wrong = error.object[error.start : error.end]
    return wrong.decode("cp1250", errors="backslashreplace"), error.end


# Old Slovak files are in Windows-1250. Byte by byte, so that one stray byte in a UTF-8 file does
# not spoil the rest of it.
codecs.register_error(FALLBACK, _as_cp1250)


def reason_to_skip(raw: bytes, max_bytes: int) -> PageWarning | None:
    """Return why the file is no page, or None when it is one."""
    if len(raw) > max_bytes:
        return too_large(len(raw), max_bytes)
    if raw.startswith(LFS_POINTER):
        return PageWarning(None, "lfs_pointer", "skipped: a Git LFS pointer, not the page itself")
    if (position := raw.find(b"\0")) >= 0:
        line = raw.count(b"\n", 0, position) + 1
        return PageWarning(line, "binary", "skipped: NUL bytes, so a binary or UTF-16 file")
    return None


def too_large(size_bytes: int, max_bytes: int) -> PageWarning:
    """Return the warning for a file over the limit."""
    message = f"skipped: {size_bytes} bytes, over ZP_MAX_FILE_BYTES = {max_bytes}"
    return PageWarning(None, "too_large", message)


def decode(raw: bytes) -> tuple[str, list[PageWarning]]:
    """Return the normalised text of a page and what had to be repaired in it."""
    warnings: list[PageWarning] = []
    if raw.startswith(codecs.BOM_UTF8):
        raw = raw.removeprefix(codecs.BOM_UTF8)
        warnings.append(PageWarning(1, "bom", "a byte order mark was left out"))
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        warnings.append(PageWarning(line, "not_utf8", "bytes that are not UTF-8 read as cp1250"))
        text = raw.decode(errors=FALLBACK)
    warnings.extend(_normalisation_warnings(text))
    return normalise_text(text), warnings


def _normalisation_warnings(text: str) -> Iterator[PageWarning]:
    if (position := text.find("\r\n")) >= 0:
        line = text.count("\n", 0, position) + 1
        yield PageWarning(line, "crlf", "CRLF line ends became LF")
    if "\r" in text.replace("\r\n", "\n"):
        yield PageWarning(None, "cr", "lone carriage returns became line ends, or spaces beside LF")
    if not unicodedata.is_normalized("NFC", text):
        lines = text.replace("\r\n", "\n").split("\n")
        wrong = (n for n, line in enumerate(lines, 1) if not unicodedata.is_normalized("NFC", line))
        yield PageWarning(next(wrong, None), "not_nfc", "decomposed characters were composed (NFC)")
