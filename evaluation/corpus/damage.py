"""What people's editors do to the bytes of a good page. The facts on it stay readable.

Each function takes and gives the bytes of a whole page. Files that are broken as files, and carry
no fact, are in `broken_pages.py`.
"""

import re
import unicodedata
from collections.abc import Callable

Damage = Callable[[bytes], bytes]


def crlf(page: bytes) -> bytes:
    """Line ends of Windows."""
    return page.replace(b"\n", b"\r\n")


def bom(page: bytes) -> bytes:
    """A byte order mark before the front matter."""
    return b"\xef\xbb\xbf" + page


def nfd(page: bytes) -> bytes:
    """Letters apart from their diacritics, as a Mac writes them."""
    return unicodedata.normalize("NFD", page.decode()).encode()


def zero_width(page: bytes) -> bytes:
    """Zero-width spaces, as they come with text copied from a chat."""
    return re.sub(rb"(?m)^(#+ |- )", "\\1\u200b".encode(), page)


def no_break_spaces(page: bytes) -> bytes:
    """Non-breaking spaces after the colons of labels."""
    front, mark, body = page.rpartition(b"---\n")
    return front + mark + body.replace(b": ", ":\u00a0".encode())


def glued_headings(page: bytes) -> bytes:
    """`#Heading` without a space, which CommonMark does not take for a heading."""
    return re.sub(rb"(?m)^(#+) ", rb"\1", page)


def tabs(page: bytes) -> bytes:
    """Tabs in front matter, which YAML forbids."""
    return re.sub(rb"(?m)^ {4,8}(?=[a-z-])", b"\t", page)


def trailing_spaces(page: bytes) -> bytes:
    """Spaces at line ends, after the dashes around the front matter too."""
    return re.sub(rb"(?m)(?<=.)$", b"  ", page)


DAMAGES: dict[str, Damage] = {
    function.__name__: function
    for function in (
        bom,
        nfd,
        crlf,
        zero_width,
        no_break_spaces,
        glued_headings,
        tabs,
        trailing_spaces,
    )
}


def damaged(page: bytes, names: tuple[str, ...]) -> bytes:
    """`page` after the named damages, in the order given."""
    for name in names:
        page = DAMAGES[name](page)
    return page
