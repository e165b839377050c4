"""How long a generation takes: first build, a commit that changes nothing, one changed page.

`python -m evaluation.benchmarks.generations WIKI BRANCH [--home HOME]`: WIKI is a repository or
bundle; the home must have the model's assets, or be new beside one that has. Every build is a
process of its own.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from evaluation.benchmarks.scratch_home import scratch_home
from evaluation.benchmarks.scratch_wiki import ScratchWiki

Figures = dict[str, dict[str, float]]


def measure_wiki(source: str, branch: str, home: Path) -> str:
    """Return the table of a wiki, which is copied into the new `home`."""
    copy = ScratchWiki.clone(source, branch, home / "benchmark-wiki")
    return table(measure(copy, branch, home))


def measure(wiki: ScratchWiki, branch: str, home: Path) -> dict[str, Figures]:
    """Return the figures of each scenario, in order: each builds on the one before."""
    scenarios: dict[str, Callable[[], None]] = {
        "first build": lambda: None,
        "no-op commit": lambda: wiki.commit("nothing"),
        "one page": wiki.change_a_page,
    }
    figures = {}
    for name, change in scenarios.items():
        change()
        figures[name] = build(wiki.directory, branch, home)
    return figures


def build(wiki: Path, branch: str, home: Path) -> Figures:
    """Run one measured build."""
    environment = {
        **os.environ,
        "ZP_HOME": str(home),
        "ZP_WIKI_URL": str(wiki),
        "ZP_WIKI_BRANCH": branch,
    }
    command = [sys.executable, "-m", "evaluation.benchmarks.measured_build"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout))


def table(figures: dict[str, Figures]) -> str:
    """Return a Markdown table: seconds, peak MiB and the ratio to the first build."""
    names = list(figures)
    steps = list(figures[names[0]])
    lines = ["| step | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for step in steps:
        cells = [
            f"{figures[n][step]['seconds']:.2f} s, {figures[n][step]['peak_mib']:.0f} MiB"
            for n in names
        ]
        lines.append(f"| {step} | " + " | ".join(cells) + " |")
    totals = [sum(step["seconds"] for step in figures[name].values()) for name in names]
    lines.append("| **all** | " + " | ".join(f"{total:.2f} s" for total in totals) + " |")
    lines.append("| ratio | " + " | ".join(f"{total / totals[0]:.4f}" for total in totals) + " |")
    return "\n".join(lines)


def main(
    wiki: str,
    branch: str,
    assets: Annotated[Path, typer.Option(help="The prepared model.")] = Path("var/assets"),
    home: Annotated[
        Path | None, typer.Option(help="Keep the home here, for the other benchmarks.")
    ] = None,
) -> None:
    """Measure one wiki."""
    with scratch_home(home, assets) as directory:
        print(measure_wiki(wiki, branch, directory))


if __name__ == "__main__":
    typer.run(main)
