"""Every benchmark of generations and search with one command; prints Markdown.

`python -m evaluation.benchmarks.report PATH@BRANCH… [--set BEIR_FOLDER]…`. A wiki of 3,000 pages
takes about ten minutes on two cores, and so does a set.
"""

from pathlib import Path
from typing import Annotated

import typer

from evaluation.benchmarks import generations, quality, search
from evaluation.benchmarks.scratch_home import scratch_home

QUERIES = 300


def main(
    wikis: Annotated[list[str], typer.Argument(help="PATH@BRANCH of repositories or bundles.")],
    sets: Annotated[list[Path] | None, typer.Option("--set", help="BEIR folders.")] = None,
    assets: Annotated[Path, typer.Option(help="The prepared model.")] = Path("var/assets"),
) -> None:
    """Measure builds and searches of each wiki, and the quality on each set."""
    for wiki in wikis:
        path, _, branch = wiki.rpartition("@")
        with scratch_home(None, assets) as home:
            print(f"\n## {Path(path).name}\n\n{generations.measure_wiki(path, branch, home)}\n")
            search.print_measured(home, QUERIES)
    for folder in sets or []:
        with scratch_home(None, assets) as home:
            print(f"\n## {folder.name}\n\n{quality.measure_set(folder, home)}")


if __name__ == "__main__":
    typer.run(main)
