"""One page: from its bytes to everything the documents table says about it.

Belongs here: the order of the readers. The table itself: `documents`.
"""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from zp_pipeline.documents.content_filter import decode, reason_to_skip
from zp_pipeline.documents.front_matter import FrontMatter, read_front_matter
from zp_pipeline.documents.heading import first_heading
from zp_pipeline.documents.keys import AUTHOR_KEYS, CATEGORY_KEYS, TAG_KEYS
from zp_pipeline.documents.metadata import one_line, read_date, read_names, read_title
from zp_pipeline.documents.rights import Rights, read_rights
from zp_pipeline.documents.warning import PageWarning, line_at
from zp_pipeline.documents.yaml_text import Value


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read. `text` is the whole file, normalised; its body begins at `body_start`."""

    title: str | None
    authors: list[str]
    tags: list[str]
    categories: list[str]
    date: str | None
    rights: Rights
    front_matter: dict[str, Value]
    text: str
    body_start: int
    warnings: list[PageWarning]


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A file that is no page; the warnings say why."""

    warnings: list[PageWarning]


def parse_page(raw: bytes, *, timezone: ZoneInfo, max_bytes: int) -> Page | SkippedPage:
    """Read one file. Never raises because of its content."""
    if reason := reason_to_skip(raw, max_bytes):
        return SkippedPage([reason])
    text, warnings = decode(raw)
    if not text.strip():
        warnings.append(PageWarning(None, "empty_page", "the page has no text"))
    front = read_front_matter(text)
    rights = read_rights(front, timezone)
    return Page(
        title=read_title(front) or _title_of_body(front, text),
        authors=read_names(front, AUTHOR_KEYS, people=True),
        tags=read_names(front, TAG_KEYS),
        categories=read_names(front, CATEGORY_KEYS),
        date=read_date(front),
        rights=rights,
        front_matter=front.values,
        text=text,
        body_start=front.body_start,
        warnings=[*warnings, *front.warnings],
    )


def _title_of_body(front: FrontMatter, text: str) -> str | None:
    heading = first_heading(text[front.body_start :].split("\n"))
    if heading is None:
        return None
    title, index, without_space = heading
    if without_space:
        line = line_at(text, front.body_start) + index
        front.warn(line, "heading_without_space", "`#` without a space read as a heading")
    return one_line(title) or None
