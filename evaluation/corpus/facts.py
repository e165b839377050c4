"""Reads `facts.yaml` into the records of `fact_records.py`, and asks simple things of them.

Generic on purpose: a record's fields are the keys of its mapping, so that a new kind of fact
needs a dataclass and no code here. An unknown key is a KeyError, a missing one
a TypeError of the dataclass.
"""

from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from ruamel.yaml import YAML

from evaluation.corpus.fact_records import Facts, Person, Student, ThesesList, Work

FACTS_FILE = Path(__file__).with_name("facts.yaml")


@cache
def load_facts() -> Facts:
    """The facts of the demo wiki; the same object at each call, nothing in it can change."""
    document = YAML(typ="safe", pure=True).load(FACTS_FILE.read_text("utf-8"))
    return Facts(**{key: _build(_hints(Facts)[key], value) for key, value in document.items()})


def _build(shape: Any, value: Any) -> Any:
    """`value` as YAML gave it, as an instance of the annotated type `shape`."""
    if get_origin(shape) is tuple:
        return tuple(_build(get_args(shape)[0], item) for item in value)
    if get_origin(shape) is UnionType:
        return _build(get_args(shape)[0], value)
    if isinstance(shape, type) and is_dataclass(shape):
        hints = _hints(shape)
        return shape(**{key: _build(hints[key], item) for key, item in value.items()})
    return datetime.fromisoformat(value) if shape is datetime else value


@cache
def _hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape)


def person(facts: Facts, person_id: str) -> Person:
    """The supervisor or consultant with that id; students become consultants too."""
    for member in facts.staff:
        if member.id == person_id:
            return member
    student = next(student for student in facts.students if student.id == person_id)
    return Person(id=student.id, name=student.name, gender=student.gender)


def listed_works(facts: Facts, page: ThesesList, year: int) -> Iterator[tuple[Student, Work]]:
    """The works that `page` has to list for one of its years, with their authors."""
    for student in (*facts.alumni, *facts.students):
        for work in student.works if student.listed else ():
            if work.kind in page.kinds and work.year == year:
                yield student, work


def facts_until(facts: Facts, year: int) -> Facts:
    """The facts as they were at the end of a year: later people, works and pages are not there."""

    def known(student: Student) -> Student:
        works = tuple(work for work in student.works if (work.year or year) <= year)
        return replace(student, works=works)

    return replace(
        facts,
        students=tuple(known(s) for s in facts.students if s.entry is not None and s.entry <= year),
        pages=tuple(page for page in facts.pages if int((page.date or "0")[:4]) <= year),
        theses_lists=tuple(
            replace(page, years=tuple(y for y in page.years if y <= year))
            for page in facts.theses_lists
            if min(page.years) <= year
        ),
    )
