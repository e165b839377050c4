"""A real git repository to push pages to."""

import os
import shutil
import subprocess
from pathlib import Path

IDENTITY = {
    "GIT_AUTHOR_NAME": "Autorka",
    "GIT_AUTHOR_EMAIL": "autorka@example.org",
    "GIT_COMMITTER_NAME": "Autorka",
    "GIT_COMMITTER_EMAIL": "autorka@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}


class GitWiki:
    """A work tree whose commits are the pushes of a test."""

    def __init__(self, directory: Path, branch: str = "master") -> None:
        """Make an empty repository in `directory`."""
        self.directory = directory
        directory.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch", branch)

    def git(self, *arguments: str) -> str:
        """Run git in the work tree and return what it prints."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.directory,
            env={**os.environ, **IDENTITY},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, pages: dict[str, str]) -> None:
        """Write pages by path, without committing them."""
        for path, text in pages.items():
            file = self.directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def remove(self, path: str) -> None:
        """Remove a page or a folder, without committing it."""
        file = self.directory / path
        if file.is_dir():
            shutil.rmtree(file)
        else:
            file.unlink()

    def commit(self, message: str = "zmena") -> str:
        """Commit everything, even nothing, and return the commit id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.head()

    def head(self) -> str:
        """Return the id of the last commit."""
        return self.git("rev-parse", "HEAD")

    def push(self, pages: dict[str, str], message: str = "zmena") -> str:
        """Write pages and commit them."""
        self.write(pages)
        return self.commit(message)
