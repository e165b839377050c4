"""Commands of `evaluation`, found by `zp` through the entry points. No work is done here.

Imports stay inside the commands: `zp` loads this module for every command of the product.
"""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Measure the product.", no_args_is_help=True)
wiki = typer.Typer(help="The wiki that is read.", no_args_is_help=True)
app.add_typer(wiki, name="wiki")


@wiki.callback()
def _group() -> None:
    """A typer app with a single command would otherwise lose the command's name."""


@wiki.command("demo")
def demo(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty directory.")],
) -> None:
    """Write the demo wiki as a git repository into DIR, and print its head commit."""
    from evaluation.corpus.repository import write_demo_wiki

    typer.echo(write_demo_wiki(directory))
