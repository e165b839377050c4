"""The shapes of the facts. Reading them from YAML: `facts.py`; putting them in words: templates.

`None` means that no page states it. Lists are tuples, so that a fact never changes.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

Gender = Literal["m", "f"]
Kind = Literal["bachelor", "master", "dissertation", "team_project", "diploma_project"]


@dataclass(frozen=True, slots=True)
class Access:
    """Who may see a page, and when.

    `groups`: None is everybody, () nobody. `valid_from` and `valid_to` are the texts on the page
    (a date or a timestamp). `lines` are the front matter lines where they are written oddly or
    wrongly; the other fields then tell how they must be understood.
    """

    groups: tuple[str, ...] | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    published: bool = True
    lines: str | None = None


OPEN = Access()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the staff, or a consultant from outside, who has no room.

    `before` and `after` are the academic titles around the name; `hours` are for consultations.
    """

    id: str
    name: str
    gender: Gender
    before: str = ""
    after: str = ""
    room: str | None = None
    hours: str | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """What was noted at a meeting; its year says nothing about the year of the thesis."""

    date: date
    note: str


@dataclass(frozen=True, slots=True)
class Work:
    """A student's thesis or project.

    `number` tells diploma projects 1 and 2 apart. `category_year` is the year in the page's
    category where it contradicts `year`, which the text states. `supervisor` and `consultant` are
    ids; so is `topic`, which lends words to the page and need not be stated there.
    """

    kind: Kind
    year: int | None = None
    title: str | None = None
    supervisor: str | None = None
    consultant: str | None = None
    topic: str | None = None
    number: int | None = None
    category_year: int | None = None
    goals: tuple[str, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Student:
    """An author of works; one without `entry` has no page and is only found in lists.

    `entry` is the year in the path, `study_start` the one stated in the text. `also` is the name as
    the lists write it; `same_as` the id of the staff member who this was. `damage` names what is
    wrong with the bytes of the page (`damage.py`). `listed` works appear in the lists of theses.
    """

    id: str
    name: str
    gender: Gender
    works: tuple[Work, ...]
    entry: int | None = None
    folder: str | None = None
    study_start: int | None = None
    tags: tuple[str, ...] = ()
    author: str | None = None
    front_matter: bool = True
    damage: tuple[str, ...] = ()
    access: Access = OPEN
    listed: bool = True
    also: str | None = None
    same_as: str | None = None

    @property
    def path(self) -> str | None:
        """Path of the page, None when there is none."""
        if self.entry is None:
            return None
        return f"pages/students/{self.entry}/{self.folder}/README.md"


@dataclass(frozen=True, slots=True)
class Topic:
    """A field in which theses are offered; `text` are paragraphs, `open` the free assignments."""

    id: str
    title: str
    text: tuple[str, ...]
    statements: tuple[str, ...]
    tools: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    author: str | None = None
    front_matter: bool = True
    access: Access = OPEN

    @property
    def path(self) -> str:
        """Path of the page."""
        return f"pages/topics/{self.id}/README.md"


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """A page written by hand; `statements` are what it says, word for word. `date` is ISO text."""

    path: str
    title: str | None
    statements: tuple[str, ...]
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    author: str | None = None
    date: str | None = None
    front_matter: bool = True
    access: Access = OPEN


@dataclass(frozen=True, slots=True)
class ThesesList:
    """A page that lists the works of some kinds and years."""

    path: str
    title: str
    kinds: tuple[Kind, ...]
    years: tuple[int, ...]
    category: str | None = None
    author: str | None = None
    front_matter: bool = True


@dataclass(frozen=True, slots=True)
class Commit:
    """A state of the wiki: works up to a year, None for all. `author` is an id of the staff."""

    date: datetime
    author: str
    message: str
    works_until: int | None = None


@dataclass(frozen=True, slots=True)
class Renamed:
    """A page that had another path up to commit number `until` (from 1)."""

    path: str
    earlier: str
    until: int


@dataclass(frozen=True, slots=True)
class Removed:
    """A page that existed in commits `first` to `last` only; it said `statement`."""

    path: str
    first: int
    last: int
    statement: str


@dataclass(frozen=True, slots=True)
class History:
    """How the wiki came to its present state."""

    commits: tuple[Commit, ...]
    renamed: tuple[Renamed, ...]
    removed: tuple[Removed, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the demo wiki states. `alumni` have no pages of their own."""

    staff: tuple[Person, ...]
    topics: tuple[Topic, ...]
    pages: tuple[WrittenPage, ...]
    theses_lists: tuple[ThesesList, ...]
    alumni: tuple[Student, ...]
    students: tuple[Student, ...]
    history: History
