"""The documents and the `zp` command say the same."""

import re
from pathlib import Path

from tests.docs.command_reference import REFERENCE, render_reference, walk_commands

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
COMMANDS = dict(walk_commands())
# `zp` as it is typed: in backticks, or in a line of a block; words up to the first argument.
TYPED = re.compile(r"(?:`|bin/)(zp(?: [a-z]+)+)")


def test_walk_commands_nothing_hidden_and_groups_merged() -> None:
    assert {"zp search", "zp rebuild", "zp wiki demo", "zp wiki accept"} <= COMMANDS.keys()
    assert "zp up" not in COMMANDS


def test_commands_each_has_help() -> None:
    assert [name for name, command in COMMANDS.items() if not (command.help or "").strip()] == []


def test_commands_each_is_in_readme_or_reference() -> None:
    text = README + REFERENCE.read_text(encoding="utf-8")
    assert [name for name in COMMANDS if not re.search(rf"\b{name}\b", text)] == []


def test_reference_is_what_the_app_says() -> None:
    advice = "run: python -m tests.docs.command_reference"
    assert REFERENCE.read_text(encoding="utf-8") == render_reference(), advice


def test_readme_names_only_commands_that_exist() -> None:
    typed = TYPED.findall(README)
    assert len(typed) >= 5
    assert [name for name in typed if name not in COMMANDS] == []


def test_readme_names_only_make_targets_that_exist() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", README, re.MULTILINE))
    assert phony is not None
    assert {"run", "test"} <= named <= set(phony[1].split())
