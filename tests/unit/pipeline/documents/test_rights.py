"""Who may see a page, whatever its front matter looks like."""

from zoneinfo import ZoneInfo

import pytest

from zp_pipeline.documents.dates import instants
from zp_pipeline.documents.front_matter import read_front_matter
from zp_pipeline.documents.rights import Rights, read_rights

ZONE = ZoneInfo("Europe/Bratislava")


def read(block: str) -> tuple[Rights, dict[str, int | None]]:
    """Return the rights of a page, and the warnings about them: lines by code."""
    front = read_front_matter(f"---\n{block}\n---\nText")
    before = len(front.warnings)
    rights = read_rights(front, ZONE)
    return rights, {warning.code: warning.line for warning in front.warnings[before:]}


def test_read_rights_absent_is_open_and_published() -> None:
    assert read("title: X") == (Rights(), {})
    assert read_rights(read_front_matter("# Nadpis"), ZONE) == Rights()


@pytest.mark.parametrize("word", ["false", "False", "NO", "off", "0", "'false'", '"no"', " n "])
def test_read_rights_published_false_in_every_form(word: str) -> None:
    rights, warnings = read(f"title: X\npublished: {word}")
    assert not rights.published
    assert warnings == {}


@pytest.mark.parametrize("word", ["true", "TRUE", "yes", "On", "1", "'true'"])
def test_read_rights_published_true_in_every_form(word: str) -> None:
    assert read(f"published: {word}") == (Rights(), {})


@pytest.mark.parametrize("word", ["maybe", "[false]", "{a: b}", "2", "fasle", "!!bool x"])
def test_read_rights_published_unclear_is_unpublished(word: str) -> None:
    rights, warnings = read(f"title: X\npublished: {word}")
    assert not rights.published
    assert warnings == {"published_unreadable": 3}


@pytest.mark.parametrize("word", ["", "~", "null"])
def test_read_rights_published_without_value_is_published(word: str) -> None:
    rights, warnings = read(f"published: {word}")
    assert rights.published
    assert warnings == {"published_empty": 2}


def test_read_rights_groups_limit_the_page() -> None:
    rights, warnings = read("allowed_groups: [staff, phd, staff]")
    assert (rights.open, rights.allowed_groups) == (False, ("staff", "phd"))
    assert warnings == {}


@pytest.mark.parametrize(
    "value",
    ["", "[]", "~", "staff", "staff, phd", "{staff: yes}", "[[staff]]", "['']", "[ŠTÁB]", "42"],
)
def test_read_rights_groups_empty_or_malformed_mean_nobody(value: str) -> None:
    rights, warnings = read(f"title: X\nallowed_groups: {value}")
    assert (rights.open, rights.allowed_groups) == (False, ())
    assert warnings["allowed_groups_unreadable"] == 3


def test_read_rights_group_outside_the_pattern_is_dropped() -> None:
    rights, warnings = read("allowed_groups:\n  - Staff\n  - phd\n  - a' OR 1=1\n  - no")
    assert rights.allowed_groups == ("phd", "no")
    assert "group_name" in warnings


def test_read_rights_dates_bound_the_page() -> None:
    rights, warnings = read("valid_from: 2021-02-15\nvalid_to: 28. 2. 2021")
    first, last = instants("2021-02-15", ZONE), instants("2021-02-28", ZONE)
    assert first
    assert last
    assert (rights.open, rights.valid_from_us, rights.valid_to_us) == (True, first[0], last[1])
    assert warnings == {}


@pytest.mark.parametrize("value", ["", "31.2.2021", "2021", "[2021-01-01]", "soon", "~"])
@pytest.mark.parametrize("key", ["valid_from", "valid_to"])
def test_read_rights_date_malformed_means_nobody(key: str, value: str) -> None:
    rights, warnings = read(f"allowed_groups: [staff]\n{key}: {value}")
    assert (rights.open, rights.allowed_groups) == (False, ())
    assert warnings == {"validity_unreadable": 3}


def test_read_rights_validity_that_never_is_warns() -> None:
    rights, warnings = read("valid_from: 2021-02-15\nvalid_to: 2021-02-14")
    assert rights.valid_from_us >= rights.valid_to_us
    assert warnings == {"validity_empty": 3}


@pytest.mark.parametrize(
    "block",
    [
        "title: a: b\nallowed_groups: [staff]\npublished: no",
        "title:X\npublished:false\nallowed_groups:[staff]",
        "title: X\n allowed_groups: [staff]\n published: off",
        "- title: a: b\n- allowed_groups: [staff]\n- published: false",
        "Published: false\nAllowed-Groups: [staff]",
        "published: false\nallowedGroups: [staff]",
        "title: a: b\npublished: false\nallowed groups: [staff]",
        "\u200bpublished: false\nallowed_groups:\u00a0[staff]",
        "title: 'X\nallowed_groups:\n- staff\npublished: 'false'",
        "title: X\n\tallowed_groups: [staff]\npublished: 0",
    ],
)
def test_read_rights_readable_lines_of_a_broken_block_bind(block: str) -> None:
    rights, _ = read(block)
    assert rights == Rights(published=False, open=False, allowed_groups=("staff",))


@pytest.mark.parametrize(
    "block",
    [
        "{title: a: b, allowed_groups: [staff]}",
        "title: a: b\nallowed_groups: [staff",
        "title: a: b\nvalid_to: 2021-02-30",
        "x: a: b\naccess: {valid_from: 2021-01-01",
        "allowed_groups: [a]\nallowed_groups: [b]",
        "allowed_groups: *alias",
        "a: &a {allowed_groups: [b]}\n<<: *a",
    ],
)
def test_read_rights_unreadable_lines_close_the_page(block: str) -> None:
    rights, warnings = read(block)
    assert (rights.open, rights.allowed_groups) == (False, ())
    assert warnings


def test_read_rights_inside_of_another_key_close_the_page() -> None:
    rights, warnings = read("taxonomy:\n  tag: [a]\n  allowed_groups: [staff]")
    assert (rights.open, rights.allowed_groups) == (False, ())
    assert warnings == {"rights_misplaced": 4}


def test_read_rights_published_inside_of_another_key_is_not_the_page_s() -> None:
    rights, _ = read("content:\n  filter:\n    published: false")
    assert rights == Rights()
