"""The file of users' groups: read again when it changes, granting nothing while broken."""

from pathlib import Path

import pytest

from zp_pipeline.shared.errors import SettingsError
from zp_serving.user_groups import UserGroups, clean_groups, read_groups


def write(path: Path, text: str) -> Path:
    fresh = path.with_suffix(".new")  # another inode, so that equal times do not hide the change
    fresh.write_text(text, encoding="utf-8")
    return fresh.rename(path)


def test_groups_of_email_in_other_case_found(tmp_path: Path) -> None:
    groups = UserGroups(write(tmp_path / "groups.yaml", "Jana@Example.org: [staff, no]\n"))
    assert groups.groups_of("jana@example.ORG") == {"staff", "no"}


def test_groups_of_unknown_user_empty(tmp_path: Path) -> None:
    groups = UserGroups(write(tmp_path / "groups.yaml", "a@example.org: staff, phd\n"))
    assert groups.groups_of("a@example.org") == {"staff", "phd"}
    assert groups.groups_of("b@example.org") == frozenset()


def test_groups_of_changed_file_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "groups.yaml", "a@example.org: [staff]\n")
    groups = UserGroups(path)
    write(path, "a@example.org: [phd]\n")
    assert groups.groups_of("a@example.org") == {"phd"}


@pytest.mark.parametrize("broken", ["a@example.org: [staff", "- staff", "a: \x00"])
def test_groups_of_file_broken_later_grants_nothing(tmp_path: Path, broken: str) -> None:
    path = write(tmp_path / "groups.yaml", "a@example.org: [staff]\n")
    groups = UserGroups(path)
    write(path, broken)
    assert groups.groups_of("a@example.org") == frozenset()


@pytest.mark.parametrize("broken", ["a@example.org: [staff", "- staff", "text"])
def test_read_groups_broken_file_refused_without_quoting(tmp_path: Path, broken: str) -> None:
    with pytest.raises(SettingsError, match="ZP_USER_GROUPS_FILE") as caught:
        read_groups(write(tmp_path / "groups.yaml", broken))
    assert "staff" not in str(caught.value)


def test_read_groups_missing_file_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="ZP_USER_GROUPS_FILE"):
        read_groups(tmp_path / "groups.yaml")


def test_clean_groups_impossible_names_dropped() -> None:
    names = [" staff ", "Staff", "a b", "", "x" * 65, "a.b_c-9", "' OR 1=1"]
    assert clean_groups(names) == {"staff", "a.b_c-9"}
