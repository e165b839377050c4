"""Facts and pages held together: each fact is on its page, each page comes from a fact."""

import re
import unicodedata
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from evaluation.corpus.broken_pages import BROKEN_FILES
from evaluation.corpus.fact_records import Student, ThesesList, Topic, Work, WrittenPage
from evaluation.corpus.facts import listed_works, load_facts, person
from evaluation.corpus.rendering import CORPUS, contact_path, render_fact_pages, render_pages
from evaluation.corpus.wording import KINDS, categories, fold

FACTS = load_facts()
FILES = render_pages(FACTS)
WITH_PAGE = [student for student in FACTS.students if student.path]
STATED = [(student, work) for student in WITH_PAGE for work in student.works]


def readable(path: str) -> str:
    """The page as a reader sees it: without what `damage.py` did to its bytes."""
    text = unicodedata.normalize("NFC", FILES[path.encode()].content.decode("utf-8-sig"))
    text = text.replace("\r\n", "\n").replace("\u200b", "").replace("\u00a0", " ")
    return re.sub("[ \t]+$", "", text, flags=re.MULTILINE)


def sections(student: Student) -> dict[str, str]:
    """The parts of a student's page by the label of the work in their heading."""
    labels = "|".join(f"{nominative}(?: [12]\\b)?" for nominative, _, _ in KINDS.values())
    parts = re.split(rf"(?m)^#+ ?((?:\d{{4}}: )?(?:{labels}).*)$", readable(str(student.path)))
    return {
        str(re.search(labels, heading)[0]): f"{heading}\n{body}"  # type: ignore[index]
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def front_matter(path: str) -> dict[str, object]:
    block = re.match(r"---\n(.*?)\n---\n", readable(path), re.DOTALL)
    assert block, path
    return dict(YAML(typ="base", pure=True).load(block[1].replace("\t", "    ")))


def section_of(student: Student, work: Work) -> str:
    label = KINDS[work.kind][0] + (f" {work.number}" if work.number else "")
    return sections(student)[label]


def named(student: Student) -> str:
    return str(student.path)


def test_render_pages_has_at_least_150_pages() -> None:
    assert sum(path.endswith(b".md") for path in render_fact_pages(FACTS)) >= 150


def test_render_pages_twice_gives_identical_bytes() -> None:
    assert render_pages(FACTS) == FILES


def test_render_pages_every_page_comes_from_a_fact() -> None:
    paths = [str(student.path) for student in WITH_PAGE]
    paths += [page.path for page in (*FACTS.topics, *FACTS.theses_lists, *FACTS.pages)]
    paths += [contact_path(member) for member in FACTS.staff if member.room]
    assert len(paths) == len(set(paths))
    assert {path.encode() for path in paths} == set(FILES) - set(BROKEN_FILES)
    assert not {path.encode() for path in paths} & set(BROKEN_FILES)


def test_render_pages_every_written_file_is_in_the_facts() -> None:
    written = {str(path.relative_to(CORPUS)) for path in (CORPUS / "pages").rglob("*.md")}
    assert written == {page.path for page in FACTS.pages}


@pytest.mark.parametrize("student", WITH_PAGE, ids=named)
def test_student_page_has_name_and_study_start(student: Student) -> None:
    text = readable(str(student.path))
    assert re.search(rf"(?m)^# ?{student.name}$", text)
    starts = re.findall(r"(?i)(?:štúdia\*?:|študovať v roku|štúdium v septembri) (\d{4})", text)
    assert starts == ([str(student.study_start)] if student.study_start else [])


@pytest.mark.parametrize("student", WITH_PAGE, ids=named)
def test_student_page_has_exactly_the_works_of_the_facts(student: Student) -> None:
    assert len(sections(student)) == len(student.works)
    own = " ".join(work.title or "" for work in student.works)
    others = {work.title for _, work in STATED if work.title and work.title not in own}
    assert not [title for title in others if title in readable(str(student.path))]


@pytest.mark.parametrize(("student", "work"), STATED)
def test_student_page_states_each_fact_of_a_work(student: Student, work: Work) -> None:
    section = section_of(student, work)
    for fact in (work.title, work.result, *work.goals, *(note.note for note in work.meetings)):
        assert fact is None or fact in section
    for role in filter(None, (work.supervisor, work.consultant)):
        assert fold(person(FACTS, role).name) in fold(section)
    assert ("TBD" in section) == (work.title is None and work.kind == "bachelor")


@pytest.mark.parametrize(("student", "work"), STATED)
def test_student_page_states_year_and_dates_of_a_work(student: Student, work: Work) -> None:
    heading, _, below = section_of(student, work).partition("\n")
    year = re.search(r"^(\d{4}): |[ (](\d{4})\)?$", heading) or re.search(
        r"\ARok: (\d{4})$|\A(?:Obhajoba|Odovzdanie) v roku (\d{4})\.$", below.strip(), re.M
    )
    assert (year and next(filter(None, year.groups()))) == (work.year and str(work.year))
    dense = re.sub(r"(\d\.) (?=\d)", r"\1", section_of(student, work))
    for meeting in work.meetings:
        day = meeting.date
        assert day.isoformat() in dense or f"{day.day}.{day.month}.{day.year}" in dense


def parsable(page: Student | Topic | WrittenPage | ThesesList) -> bool:
    """Whether the page has front matter that is YAML."""
    lines = "" if isinstance(page, ThesesList) else page.access.lines or ""
    return page.front_matter and lines.count("[") == lines.count("]")


DESCRIBED = [
    page
    for page in (*WITH_PAGE, *FACTS.topics, *FACTS.pages, *FACTS.theses_lists)
    if parsable(page)
]


@pytest.mark.parametrize("page", DESCRIBED, ids=lambda page: str(page.path))
def test_front_matter_says_title_and_author(page: Student | Topic | WrittenPage) -> None:
    block = front_matter(str(page.path))
    taxonomy = block.get("taxonomy", {})
    assert isinstance(taxonomy, dict)
    assert block["title"] == (page.name if isinstance(page, Student) else page.title)
    author = fold(person(FACTS, page.author).name) if page.author else None
    assert (taxonomy.get("author") and fold(taxonomy["author"])) == author


@pytest.mark.parametrize("student", [s for s in DESCRIBED if isinstance(s, Student)], ids=named)
def test_front_matter_of_student_says_categories_and_tags(student: Student) -> None:
    taxonomy = front_matter(str(student.path))["taxonomy"]
    assert isinstance(taxonomy, dict)
    assert (taxonomy.get("category") or []) == categories(student.works)
    assert tuple(taxonomy["tag"]) == student.tags


@pytest.mark.parametrize(
    "page", [p for p in DESCRIBED if not isinstance(p, ThesesList)], ids=lambda page: str(page.path)
)
def test_front_matter_says_access(page: Student | Topic | WrittenPage) -> None:
    block, access = front_matter(str(page.path)), page.access
    assert (block.get("published") != "false") is access.published
    if access.lines is None:
        groups = block.get("allowed_groups")
        assert (tuple(groups) if isinstance(groups, list) else groups) == access.groups
        text = readable(str(page.path))
        assert (f"\nvalid_to: {access.valid_to}\n" in text) == (access.valid_to is not None)
        assert (f"\nvalid_from: {access.valid_from}\n" in text) == (access.valid_from is not None)
    else:
        assert access.lines in readable(str(page.path))


@pytest.mark.parametrize("page", [*FACTS.topics, *FACTS.pages], ids=lambda page: str(page.path))
def test_topic_and_written_page_say_their_statements(page: Topic | WrittenPage) -> None:
    text = readable(page.path).replace("\n", " ")
    tools = page.tools + page.open if isinstance(page, Topic) else ()
    assert page.statements
    assert not [said for said in (*page.statements, *tools) if said not in text]
    assert page.title is None or page.title in text


@pytest.mark.parametrize("page", FACTS.theses_lists, ids=lambda page: str(page.path))
def test_theses_list_has_exactly_the_listed_works(page: ThesesList) -> None:
    lines = [
        line for line in readable(page.path).splitlines() if re.match(r"[-*] .* ?:|.*TBD", line)
    ]
    expected = [pair for year in page.years for pair in listed_works(FACTS, page, year)]
    assert expected
    for line, (student, work) in zip(lines, expected, strict=True):
        assert (work.title or "TBD") in line
        assert (student.also or student.name) in line
        assert student.path or not work.supervisor or person(FACTS, work.supervisor).name in line


def test_theses_lists_every_listed_thesis_is_in_one() -> None:
    listed = [
        (student.id, work.kind, work.year)
        for page in FACTS.theses_lists
        for year in page.years
        for student, work in listed_works(FACTS, page, year)
    ]
    everyone = [(s, w) for s in (*FACTS.alumni, *FACTS.students) if s.listed for w in s.works]
    wanted = [(s.id, w.kind, w.year) for s, w in everyone if w.kind != "diploma_project"]
    assert sorted(listed) == sorted(wanted)


@pytest.mark.parametrize("member", [m for m in FACTS.staff if m.room], ids=lambda m: str(m.id))
def test_contact_page_says_room_hours_and_topics(member: object) -> None:
    somebody = next(person for person in FACTS.staff if person is member)
    text = readable(contact_path(somebody))
    topics = [topic.title for topic in FACTS.topics if topic.author == somebody.id]
    facts = [somebody.name, somebody.before, somebody.after, somebody.room, somebody.hours]
    assert not [fact for fact in (*facts, *topics) if fact and fact not in text]


def test_corpus_folder_has_only_pages_that_are_used() -> None:
    removed = {page.path for page in FACTS.history.removed}
    stored = {
        str(path.relative_to(CORPUS / "removed")) for path in Path(CORPUS / "removed").rglob("*.md")
    }
    assert stored == removed
