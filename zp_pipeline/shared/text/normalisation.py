"""The one normal form of every text we keep: NFC with LF line ends.

Belongs here: what changes a text as a whole, once, on the way in. Folding for search belongs to the
analyzer, repairs of front matter to `zp_pipeline.documents`.
"""

import unicodedata


def normalise_text(text: str) -> str:
    """Return `text` in NFC with LF line ends, and as many lines as git and editors count.

    CRLF becomes LF. A lone CR ends a line only in a file that has no LF at all; elsewhere neither
    git nor `wc -l` counts it, while Markdown readers would, so there it becomes a space.
    """
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        text = text.replace("\r", " " if "\n" in text else "\n")
    return unicodedata.normalize("NFC", text)
