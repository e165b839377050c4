"""A throwaway copy of a wiki that a benchmark may push to, or a wiki made of given pages."""

import os
import subprocess
from pathlib import Path

IDENTITY = {
    "GIT_AUTHOR_NAME": "benchmark",
    "GIT_AUTHOR_EMAIL": "benchmark@example.org",
    "GIT_COMMITTER_NAME": "benchmark",
    "GIT_COMMITTER_EMAIL": "benchmark@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class ScratchWiki:
    """A work tree in `directory`."""

    def __init__(self, directory: Path) -> None:
        """Use a work tree that is there already; see `clone` and `of_pages`."""
        self.directory = directory

    @classmethod
    def clone(cls, source: str, branch: str, directory: Path) -> "ScratchWiki":
        """Clone one branch of a repository or bundle."""
        git(directory.parent, "clone", "--quiet", "--branch", branch, source, str(directory))
        return cls(directory)

    @classmethod
    def of_pages(cls, pages: dict[str, str], directory: Path) -> "ScratchWiki":
        """Make a repository of `pages` by path, in one commit."""
        directory.mkdir(parents=True)
        git(directory, "init", "--quiet", "--initial-branch", "master")
        wiki = cls(directory)
        for path, text in pages.items():
            wiki.write(path, text)
        wiki.commit("pages")
        return wiki

    def write(self, path: str, text: str) -> None:
        """Write a page without committing it."""
        file = self.directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self, message: str) -> None:
        """Commit everything, even nothing."""
        git(self.directory, "add", "--all")
        git(self.directory, "commit", "--quiet", "--allow-empty", "-m", message)

    def change_a_page(self) -> None:
        """Add a sentence to the first page and commit it."""
        page = sorted(self.directory.rglob("*.md"))[0]
        page.write_bytes(page.read_bytes() + "\n\nPridaná veta o meraní rýchlosti.\n".encode())
        self.commit("one page")


def git(directory: Path, *arguments: str) -> None:
    """Run git quietly. Raises `CalledProcessError`."""
    subprocess.run(["git", *arguments], cwd=directory, env={**os.environ, **IDENTITY}, check=True)
