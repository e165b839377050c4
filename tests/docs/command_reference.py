"""Writes `docs/COMMANDS.md` from the `zp` app itself: `python -m tests.docs.command_reference`.

`test_commands_documented` compares what is written here with what is committed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from zp_pipeline.shared.command_line import build_app

REFERENCE = Path(__file__).parents[2] / "docs" / "COMMANDS.md"
HEAD = """# Commands

Written by `python -m tests.docs.command_reference`; do not edit. `--help` says the same. Every
command ends with 0 (answered), 1 (error) or 2 (usage). Settings: `.env.example`.
"""


def walk_commands(command: Any = None, name: str = "zp") -> Iterator[tuple[str, Any]]:
    """Yield each command that is not hidden, in alphabetical order, with its full name."""
    command = command or get_command(build_app())
    if not hasattr(command, "commands"):
        yield name, command
        return
    for part, child in sorted(command.commands.items()):
        if not child.hidden:
            yield from walk_commands(child, f"{name} {part}")


def render_reference() -> str:
    """Return the reference as Markdown, one section per command."""
    return "\n".join([HEAD, *(render_command(name, command) for name, command in walk_commands())])


def render_command(name: str, command: Any) -> str:
    """Return the section of one command."""
    arguments = [shown_name(p) for p in command.params if p.param_type_name == "argument"]
    lines = [f"## `{' '.join([name, *arguments])}`", command.help.strip(), ""]
    described = [f"- `{shown_name(p)}`: {shown_help(p)}" for p in command.params if p.help]
    return "\n".join([*lines, *described, ""] if described else lines)


def shown_name(parameter: Any) -> str:
    """Return how a parameter is typed: `DIR`, `--json`, `--limit VALUE`."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    return str(parameter.opts[0]) + ("" if parameter.is_flag else " VALUE")


def shown_help(parameter: Any) -> str:
    """Return a parameter's help, with its default where it has one worth saying."""
    default = "" if parameter.default in (None, False) else f" Default: {parameter.default}."
    return f"{parameter.help}{default}"


if __name__ == "__main__":
    REFERENCE.write_text(render_reference(), encoding="utf-8")
