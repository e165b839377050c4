"""The `zp` command: gathers the commands of every installed package and ends with the right code.

Packages give a typer app under the entry-point group `zp.commands`; groups of one name (`zp wiki`)
are merged. Exit codes: 0 answered, 1 error, 2 usage.
"""

import sys
from importlib.metadata import entry_points

import typer

from zp_pipeline.shared.errors import ZpError


def merge_apps(apps: list[typer.Typer]) -> typer.Typer:
    """Return one app with the commands of all; groups of one name are merged in turn."""
    merged = typer.Typer(no_args_is_help=True, add_completion=False)
    groups: dict[str, list[typer.Typer]] = {}
    for app in apps:
        merged.registered_commands.extend(app.registered_commands)
        for group in app.registered_groups:
            if group.typer_instance is not None:
                groups.setdefault(str(group.name), []).append(group.typer_instance)
    for name, same in sorted(groups.items()):
        helps = [app.info.help for app in same if isinstance(app.info.help, str)]
        merged.add_typer(merge_apps(same), name=name, help=" ".join(helps))
    return merged


def build_app() -> typer.Typer:
    """Return the `zp` app with the commands of everything installed."""
    entries = sorted(entry_points(group="zp.commands"), key=lambda entry: entry.name)
    app = merge_apps([entry.load() for entry in entries])
    app.info.help = "From a git wiki to answers that can be trusted."
    return app


def main() -> None:
    """Run `zp`; our own errors become one line on stderr and exit code 1."""
    try:
        build_app()(prog_name="zp")
    except ZpError as error:
        print(f"zp: {error.reason}: {error}", file=sys.stderr)
        sys.exit(1)
