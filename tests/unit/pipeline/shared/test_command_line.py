"""The `zp` command: the packages' commands are gathered, and it ends with the right code."""

import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from zp_pipeline.shared.command_line import build_app, main, merge_apps


def app_with(group: str, command: str, help: str) -> typer.Typer:
    """Return an app with one command, and a group with one command that says its name."""
    app, inner = typer.Typer(), typer.Typer(help=help)
    inner.command(command)(lambda: print(f"{group} {command}"))
    app.command(f"top-{command}")(lambda: print(f"top {command}"))
    app.add_typer(inner, name=group)
    return app


@pytest.fixture
def merged() -> typer.Typer:
    return merge_apps([app_with("wiki", "one", "First."), app_with("wiki", "two", "Second.")])


def end_of(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    """Run `zp` in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["zp", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.mark.parametrize("command", ["one", "two"])
def test_merge_groups_of_one_name_keep_the_commands_of_both(
    merged: typer.Typer, command: str
) -> None:
    assert CliRunner().invoke(merged, ["wiki", command]).output == f"wiki {command}\n"
    assert CliRunner().invoke(merged, [f"top-{command}"]).output == f"top {command}\n"


def test_merge_groups_of_one_name_stand_once_with_both_helps(merged: typer.Typer) -> None:
    (group,) = merged.registered_groups
    assert (group.name, group.help) == ("wiki", "First. Second.")


def test_merge_groups_of_other_names_stay_apart() -> None:
    merged = merge_apps([app_with("wiki", "one", ""), app_with("generations", "two", "")])
    assert [group.name for group in merged.registered_groups] == ["generations", "wiki"]
    assert CliRunner().invoke(merged, ["wiki", "two"]).exit_code == 2


def test_build_app_commands_of_every_package_are_there() -> None:
    output = CliRunner().invoke(build_app(), ["wiki", "--help"]).output
    assert "accept" in output
    assert "demo" in output


def test_main_own_error_is_one_line_on_stderr_and_code_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZP_HOEM", "secret-value")
    assert end_of(monkeypatch, "status") == 1
    assert capsys.readouterr() == ("", "zp: invalid_settings: unknown setting: ZP_HOEM\n")


@pytest.mark.parametrize("arguments", [["nonsense"], ["status", "--nonsense"], ["wiki", "accept"]])
def test_main_usage_error_is_on_stderr_and_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert end_of(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Usage: zp" in err


def test_main_help_is_code_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert end_of(monkeypatch, "--help") == 0
    assert "Usage: zp" in capsys.readouterr().out
