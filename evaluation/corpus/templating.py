"""Choosing and filling the page templates. What they are filled with: `rendering.py`.

The variant of a slot is chosen by the digest of a fact's id: adding a student leaves the other
pages as they are. A new variant is a new file `templates/<slot>/<name>.md.j2`; it changes which
variant a fact of that slot gets.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).with_name("templates")


def choose(slot: str, key: str, count: int) -> int:
    """A number below `count`, always the same for a slot and a key."""
    return int.from_bytes(sha256(f"{slot}/{key}".encode()).digest()[:8], "big") % count


def pick(slot: str, key: str) -> str:
    """Name of the template that fills `slot` for the fact `key`."""
    variants = _variants(slot)
    return variants[choose(slot, key, len(variants))]


@cache
def _variants(slot: str) -> list[str]:
    return sorted(f"{slot}/{path.name}" for path in (TEMPLATES / slot).glob("*.md.j2"))


@cache
def _environment() -> Environment:
    environment = Environment(  # Markdown for git, never HTML for a browser
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["pick"] = pick
    return environment


def render(slot: str, key: str, **values: object) -> str:
    """Text of the variant that `key` gets in `slot`, filled with `values`."""
    return _environment().get_template(pick(slot, key)).render(**values)


def tidy(page: str) -> bytes:
    """A page as bytes, without the runs of blank lines that empty slots leave."""
    return (re.sub(r"\n{3,}", "\n\n", page).strip("\n") + "\n").encode()
