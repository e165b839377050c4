"""Links from a page of a generation to the wiki, made when serving: no artifact holds a commit."""

import re
from dataclasses import dataclass
from string import Formatter
from urllib.parse import quote_from_bytes

PLACEHOLDERS = frozenset({"path", "path_without_md", "commit", "branch"})
SCHEMES = ("http://", "https://")

# The tables write a byte of a file name that is not UTF-8 as \xNN; such a byte is at least 0x80.
_ESCAPED_BYTE = re.compile(rb"\\x([89a-f][0-9a-f])")


def check_template(template: str) -> None:
    """Raise `ValueError` unless `template` is empty, or a web address with our placeholders."""
    if template and not template.startswith(SCHEMES):
        raise ValueError("must start with http:// or https://")
    for _, name, spec, conversion in Formatter().parse(template):
        if name is not None and (name not in PLACEHOLDERS or spec or conversion):
            raise ValueError(f"may hold {', '.join(sorted(PLACEHOLDERS))} in braces, nothing else")


@dataclass(frozen=True, slots=True)
class SourceLinks:
    """The links of one generation."""

    template: str
    commit: str
    branch: str

    def url(self, path: str) -> str | None:
        """Return the address of the page at `path`, or None without a template."""
        if not self.template:
            return None
        return self.template.format(
            path=_encode(path),
            path_without_md=_encode(re.sub(r"\.md$", "", path, flags=re.IGNORECASE)),
            commit=_encode(self.commit),
            branch=_encode(self.branch),
        )


def _encode(path: str) -> str:
    """Return `path` percent-encoded segment by segment, its escaped bytes as those bytes."""
    raw = _ESCAPED_BYTE.sub(lambda match: bytes.fromhex(match[1].decode()), path.encode())
    return quote_from_bytes(raw, safe="/")
