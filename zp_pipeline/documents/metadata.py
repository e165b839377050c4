"""Title, authors, tags, categories and date of a page, from flat keys and from Grav's `taxonomy`.

Belongs here: what describes a page. Who may see it: `rights`. The structure of the body belongs to
`zp_pipeline.chunking`; only the first heading, as a title, is looked for here, by `heading`.
"""

import re
from collections.abc import Iterator

from zp_pipeline.documents.dates import iso_date
from zp_pipeline.documents.front_matter import FrontMatter
from zp_pipeline.documents.keys import ZERO_WIDTH
from zp_pipeline.documents.yaml_text import KeyPath, Value
from zp_pipeline.shared.text.normalisation import normalise_text

NOTHING = frozenset({"", "~", "null"})
CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
# `Ján Novák, PhD.` is one person.
ACADEMIC_DEGREE = re.compile(r"(ph\.? ?d|art\.? ?d|csc|drsc|dr|mba|ll\.? ?m|msc|bsc)\.?", re.I)


def one_line(text: str) -> str:
    """Return `text` without control and zero-width characters, its white space single spaces."""
    return " ".join(CONTROL.sub("", ZERO_WIDTH.sub("", normalise_text(text))).split())


def read_title(front: FrontMatter) -> str | None:
    """Return the title of the front matter, None when it has none."""
    value = front.values.get("title", "")
    if not isinstance(value, str):
        front.warn(front.line("title"), "metadata_not_text", "`title` is not text")
        return None
    return None if value.strip() in NOTHING else one_line(value) or None


def read_date(front: FrontMatter) -> str | None:
    """Return the page's date as ISO text, None when it has none that can be read."""
    value = front.values.get("date", "")
    if isinstance(value, str) and value.strip() in NOTHING:
        return None
    read = iso_date(value) if isinstance(value, str) else None
    if read is None:
        front.warn(front.line("date"), "date_unreadable", "`date` is no date that we read")
    return read


def read_names(front: FrontMatter, keys: tuple[str, ...], *, people: bool = False) -> list[str]:
    """Return the values of `keys`, flat and under `taxonomy`, each once, in their order.

    Commas make a list of a text; with `people` semicolons too, and a degree stays with its person.
    """
    taxonomy = front.values.get("taxonomy", {})
    found: list[tuple[Value, KeyPath]]
    found = [(front.values[key], (key,)) for key in keys if key in front.values]
    if isinstance(taxonomy, dict):
        found += [(taxonomy[key], ("taxonomy", key)) for key in keys if key in taxonomy]
    unique: dict[str, str] = {}
    for value, path in found:
        for name in _names(front, value, path, people):
            unique.setdefault(name.casefold(), name)
    return list(unique.values())


def _names(front: FrontMatter, value: Value, path: KeyPath, people: bool) -> Iterator[str]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _item(front, item, (*path, str(number)))
    elif isinstance(value, str):
        if value.strip() not in NOTHING:
            parts = map(one_line, re.split("[,;]" if people else ",", value))
            yield from filter(None, _with_degrees(parts) if people else parts)
    else:
        yield from _item(front, value, path)


def _item(front: FrontMatter, value: Value, path: KeyPath) -> Iterator[str]:
    """Yield the one name that an item is, or has as its `name`."""
    name = value.get("name") if isinstance(value, dict) else value
    if not isinstance(name, str):
        message = f"`{'.'.join(path)}` is neither text nor a list of texts"
        front.warn(front.line(*path), "metadata_not_text", message)
    elif name.strip() not in NOTHING and (text := one_line(name)):
        yield text


def _with_degrees(parts: Iterator[str]) -> list[str]:
    names: list[str] = []
    for part in parts:
        if names and ACADEMIC_DEGREE.fullmatch(part):
            names[-1] += f", {part}"
        else:
            names.append(part)
    return names
