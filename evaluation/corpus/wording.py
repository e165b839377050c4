"""Facts in the words that templates need: kinds of work, names, roles and dates. No Markdown.

Only forms are made here; which of them a page uses is the choice of its templates.
"""

import unicodedata
from dataclasses import dataclass
from datetime import date

from evaluation.corpus.fact_records import Facts, Kind, Meeting, Person, Student, Work
from evaluation.corpus.facts import person as person_of

KINDS: dict[Kind, tuple[str, str, str]] = {  # nominative, genitive, prefix of the category
    "bachelor": ("Bakalárska práca", "bakalárskej práce", "bp"),
    "master": ("Diplomová práca", "diplomovej práce", "dp"),
    "dissertation": ("Dizertačná práca", "dizertačnej práce", "phd"),
    "team_project": ("Tímový projekt", "tímového projektu", "tp"),
    "diploma_project": ("Diplomový projekt", "diplomového projektu", "dprojekt"),
}
THESES: tuple[Kind, ...] = ("bachelor", "master", "dissertation")


def fold(text: str) -> str:
    """`text` without diacritics."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(char for char in parts if not unicodedata.combining(char))


def categories(works: tuple[Work, ...]) -> list[str]:
    """Categories of a student's page, such as dp2021; projects 1 and 2 have none."""
    found = [
        f"{KINDS[work.kind][2]}{work.category_year or work.year}"
        for work in works
        if work.year and work.kind != "diploma_project"
    ]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class PersonWords:
    """A supervisor or consultant as pages write them, role names in the person's gender."""

    plain: str
    full: str
    without_comma: str
    role: str
    tutoring: str
    consulting: str

    @property
    def folded(self) -> str:
        """The bare name without diacritics."""
        return fold(self.plain)

    @property
    def folded_without_comma(self) -> str:
        """Name and titles without comma and diacritics."""
        return fold(self.without_comma)


def person_words(person: Person) -> PersonWords:
    """The forms of one person's name and roles."""
    woman = person.gender == "f"
    before = f"{person.before} {person.name}".strip()
    return PersonWords(
        plain=person.name,
        full=f"{before}, {person.after}" if person.after else before,
        without_comma=f"{before} {person.after}".strip(),
        role="Vedúca" if woman else "Vedúci",
        tutoring="Školiteľka" if woman else "Školiteľ",
        consulting="Konzultantka" if woman else "Konzultant",
    )


@dataclass(frozen=True, slots=True)
class MeetingWords:
    """A meeting with the three ways of writing its date."""

    note: str
    spaced: str
    dense: str
    iso: str


def meeting_words(meeting: Meeting) -> MeetingWords:
    """The forms of a meeting's date."""
    day: date = meeting.date
    return MeetingWords(
        note=meeting.note,
        spaced=f"{day.day}. {day.month}. {day.year}",
        dense=f"{day.day}.{day.month}.{day.year}",
        iso=day.isoformat(),
    )


@dataclass(frozen=True, slots=True)
class WorkWords:
    """A work ready for its templates; `key` chooses them. `untitled` works await a title."""

    key: str
    label: str
    genitive: str
    is_thesis: bool
    untitled: bool
    number: int | None
    year: int | None
    title: str | None
    topic_title: str | None
    tools: tuple[str, ...]
    supervisor: PersonWords | None
    consultant: PersonWords | None
    goals: tuple[str, ...]
    meetings: tuple[MeetingWords, ...]
    result: str | None


def work_words(facts: Facts, student: Student, work: Work) -> WorkWords:
    """Everything that a page says about `work` of `student`."""
    nominative, genitive, _ = KINDS[work.kind]
    topic = next((topic for topic in facts.topics if topic.id == work.topic), None)
    return WorkWords(
        key=f"{student.id}/{work.kind}{work.number or ''}",
        label=f"{nominative} {work.number}" if work.number else nominative,
        genitive=genitive,
        is_thesis=work.kind in THESES,
        untitled=work.title is None and work.kind in THESES,
        number=work.number,
        year=work.year,
        title=work.title,
        topic_title=topic.title if topic else None,
        tools=topic.tools if topic else (),
        supervisor=person_words(person_of(facts, work.supervisor)) if work.supervisor else None,
        consultant=person_words(person_of(facts, work.consultant)) if work.consultant else None,
        goals=work.goals,
        meetings=tuple(meeting_words(meeting) for meeting in work.meetings),
        result=work.result,
    )
