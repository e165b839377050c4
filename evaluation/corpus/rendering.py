"""From facts to the files of the wiki. How templates are chosen and filled: `templating.py`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.corpus.broken_pages import BROKEN_FILES
from evaluation.corpus.damage import damaged
from evaluation.corpus.fact_records import (
    OPEN,
    Access,
    Facts,
    Person,
    Student,
    ThesesList,
    Topic,
    Work,
)
from evaluation.corpus.facts import listed_works, person
from evaluation.corpus.templating import choose, render, tidy
from evaluation.corpus.wiki_file import WikiFile
from evaluation.corpus.wording import categories, fold, person_words, work_words

CORPUS = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the block at the top of a page says."""

    title: str
    author: str | None
    categories: list[str] = field(default_factory=list)
    tags: tuple[str, ...] = ()
    access: Access = OPEN


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A line in a list of theses; `supervised` is the rest of the line, mostly empty."""

    name: str
    linked: str
    title: str | None
    supervised: str


def render_pages(facts: Facts) -> dict[bytes, WikiFile]:
    """All files of the wiki by path: those that state `facts`, and the broken ones."""
    return render_fact_pages(facts) | BROKEN_FILES


def render_fact_pages(facts: Facts) -> dict[bytes, WikiFile]:
    """The files that state `facts`, by path."""
    return {path.encode(): WikiFile(page) for path, page in _fact_pages(facts)}


def contact_path(member: Person) -> str:
    """Path of the page with somebody's office and hours."""
    return f"pages/info/ludia/{member.id}/README.md"


def _fact_pages(facts: Facts) -> Iterator[tuple[str, bytes]]:
    for student in facts.students:
        if student.path:
            yield student.path, _student_page(facts, student)
    for topic in facts.topics:
        yield topic.path, _topic_page(facts, topic)
    for member in facts.staff:
        if member.room:
            yield contact_path(member), _contact_page(facts, member)
    for page in facts.theses_lists:
        yield page.path, _theses_page(facts, page)
    for written in facts.pages:
        yield written.path, (CORPUS / written.path).read_bytes()


def _student_page(facts: Facts, student: Student) -> bytes:
    works = [work_words(facts, student, work) for work in student.works]
    page = render("student", student.id, student=student, works=works, level="##")
    if student.front_matter:
        meta = FrontMatter(
            title=student.name,
            author=_author(facts, student.author, student.id),
            categories=categories(student.works),
            tags=student.tags,
            access=student.access,
        )
        page = render("front_matter", student.id, meta=meta) + page
    return damaged(tidy(page), student.damage)


def _topic_page(facts: Facts, topic: Topic) -> bytes:
    page = render("topic", topic.id, topic=topic)
    if topic.front_matter:
        meta = FrontMatter(
            title=topic.title,
            author=_author(facts, topic.author, topic.id),
            categories=["info"],
            tags=topic.tags,
            access=topic.access,
        )
        page = render("front_matter", topic.id, meta=meta) + page
    return tidy(page)


def _contact_page(facts: Facts, member: Person) -> bytes:
    topics = [topic for topic in facts.topics if topic.author == member.id]
    words = person_words(member)
    return tidy(render("contact", member.id, person=words, member=member, topics=topics))


def _theses_page(facts: Facts, page: ThesesList) -> bytes:
    years = [
        (year, [_entry(facts, student, work) for student, work in listed_works(facts, page, year)])
        for year in page.years
    ]
    text = render("theses_list", page.path, page=page, years=years)
    if page.front_matter:
        author = _author(facts, page.author, page.path)
        meta = FrontMatter(page.title, author, [page.category] if page.category else [])
        text = render("front_matter", page.path, meta=meta) + text
    return tidy(text)


def _entry(facts: Facts, student: Student, work: Work) -> ListEntry:
    """The list is the only place that names the supervisor of somebody without a page."""
    name = student.also or student.name
    link = student.path and f"[{name}](/{student.path.removesuffix('/README.md')})"
    supervised = ""
    if work.supervisor and not student.path:
        words = person_words(person(facts, work.supervisor))
        supervised = f" ({words.role.lower()}: {words.full})"
    return ListEntry(name, link or name, work.title, supervised)


def _author(facts: Facts, author: str | None, key: str) -> str | None:
    """The name in `taxonomy.author`; a third of the pages leaves the diacritics out."""
    if author is None:
        return None
    name = person(facts, author).name
    return fold(name) if choose("author", key, 3) == 0 else name
