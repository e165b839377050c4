"""The facts of the demo wiki: enough of them, consistent, and cut by year."""

from collections import Counter
from dataclasses import replace

import pytest

from evaluation.corpus.fact_records import Student, Work
from evaluation.corpus.facts import facts_until, listed_works, load_facts, person
from evaluation.corpus.wording import fold

FACTS = load_facts()
PEOPLE = (*FACTS.alumni, *FACTS.students)
WORKS: list[tuple[Student, Work]] = [(student, w) for student in PEOPLE for w in student.works]


def test_load_facts_has_enough_to_ask_about() -> None:
    assert len(FACTS.students) >= 60
    assert len([member for member in FACTS.staff if member.room]) >= 12
    assert len(WORKS) >= 120
    assert len(FACTS.topics) >= 15
    assert sum(len(student.works) > 1 for student in FACTS.students) >= 40


def test_load_facts_has_every_kind_of_work() -> None:
    kinds = Counter(work.kind for _, work in WORKS)
    assert min(kinds.values()) >= 5
    assert set(kinds) == {
        "bachelor", "master", "dissertation", "team_project", "diploma_project",
    }  # fmt: skip


def test_load_facts_has_the_hard_cases() -> None:
    years = {work.year for _, work in WORKS}
    names = Counter(student.name for student in PEOPLE)
    assert {1996, 1998, None} <= years
    assert sum(count > 1 for count in names.values()) >= 2
    assert {"Marek Hruška", "Marek Hruska", "Jan Kovac", "Katarína Hájek"} <= set(names)
    assert sum(work.category_year not in (None, work.year) for _, work in WORKS) >= 3
    assert any(s.study_start not in (None, s.entry) for s in FACTS.students)


def test_load_facts_ids_are_unique_and_people_exist() -> None:
    ids = [entry.id for entry in (*FACTS.staff, *PEOPLE)]
    assert len(ids) == len(set(ids))
    for student, work in WORKS:
        for role in filter(None, (work.supervisor, work.consultant)):
            assert person(FACTS, role).id != student.id
        assert work.consultant is None or work.consultant != work.supervisor


def test_load_facts_pages_without_front_matter_claim_nothing_of_it() -> None:
    for page in (*FACTS.students, *FACTS.topics, *FACTS.pages):
        if not page.front_matter:
            assert not page.tags
            assert page.author is None


@pytest.mark.parametrize("trait", ["groups", "closed", "future", "past", "unpublished", "window"])
def test_load_facts_has_every_kind_of_access(trait: str) -> None:
    pages = [page.access for page in (*FACTS.students, *FACTS.topics, *FACTS.pages)]
    found = {
        "groups": [a for a in pages if a.groups],
        "closed": [a for a in pages if a.groups == ()],
        "future": [a for a in pages if (a.valid_from or "") > "2090"],
        "past": [a for a in pages if "0" < (a.valid_to or "") < "2026"],
        "unpublished": [a for a in pages if not a.published],
        "window": [a for a in pages if a.valid_from and a.valid_to],
    }
    assert len(found[trait]) >= 2


def test_facts_until_year_leaves_later_works_out() -> None:
    past = facts_until(FACTS, 2017)
    assert max(work.year or 0 for student in past.students for work in student.works) == 2017
    assert max(student.entry or 0 for student in past.students) <= 2017
    assert max(year for page in past.theses_lists for year in page.years) == 2017
    assert len(past.students) < len(FACTS.students)


def test_listed_works_not_listed_student_is_left_out() -> None:
    page, year = FACTS.theses_lists[0], FACTS.theses_lists[0].years[0]
    listed = [student for student, _ in listed_works(FACTS, page, year)]
    hidden = replace(FACTS, students=tuple(replace(s, listed=False) for s in FACTS.students))
    assert listed
    assert not list(listed_works(hidden, page, year))


def test_person_student_who_became_consultant_is_found() -> None:
    assert person(FACTS, "tomas_mrkva").name == "Tomáš Mrkva"
    assert fold("Tomáš Mrkva") == "Tomas Mrkva"
