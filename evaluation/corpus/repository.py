"""Writes the demo wiki as a git repository whose commit ids are the same everywhere.

`git fast-import` takes the commits as one stream: paths that no shell could name, symlinks and a
submodule need no work tree there, and all is written in a second. What is in the commits:
`history.py`.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from evaluation.corpus.fact_records import Commit, Facts
from evaluation.corpus.facts import load_facts, person
from evaluation.corpus.history import Tree, wiki_states
from evaluation.corpus.wiki_file import SUBMODULE, WikiFile
from evaluation.corpus.wording import fold
from zp_pipeline.shared.errors import WikiError

BRANCH = "master"


def write_demo_wiki(directory: Path) -> str:
    """Write the demo wiki with its work tree into `directory`, and return the head commit.

    The repository is made beside and renamed, so that an interrupted run leaves no half wiki.
    Raises WikiError when `directory` exists and is anything but an empty directory.
    """
    _refuse_occupied(directory)
    target = directory.absolute()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".demo-wiki-", dir=target.parent) as beside:
        repository = Path(beside) / "wiki"
        _git(target.parent, "init", "--quiet", "--template=", "-b", BRANCH, str(repository))
        stream = b"".join(fast_import_stream(load_facts()))
        _git(repository, "fast-import", "--quiet", stdin=stream)
        _git(repository, "reset", "--quiet", "--hard", BRANCH)
        head = _git(repository, "rev-parse", "HEAD").decode().strip()
        repository.rename(target)
    return head


def _refuse_occupied(directory: Path) -> None:
    if directory.is_dir():
        if any(directory.iterdir()):
            raise WikiError(f"{directory} is not empty; the demo wiki needs a new directory")
    elif directory.exists() or directory.is_symlink():
        raise WikiError(f"{directory} is not a directory; the demo wiki needs a new one")


def fast_import_stream(facts: Facts) -> Iterator[bytes]:
    """The whole history in the input format of `git fast-import` (git-fast-import(1))."""
    for commit, tree in wiki_states(facts):
        yield f"commit refs/heads/{BRANCH}\n".encode()
        yield _signature("author", facts, commit)
        yield _signature("committer", facts, commit)
        yield _data(commit.message.encode())
        yield b"deleteall\n"
        yield from _files(tree)
    yield b"done\n"


def _signature(role: str, facts: Facts, commit: Commit) -> bytes:
    name = person(facts, commit.author).name
    address = f"{fold(name).lower().replace(' ', '.')}@example.org"
    return f"{role} {name} <{address}> {_git_time(commit.date)}\n".encode()


def _git_time(moment: datetime) -> str:
    """Seconds since the epoch and the offset, as git stores times."""
    return f"{int(moment.timestamp())} {moment:%z}"


def _files(tree: Tree) -> Iterator[bytes]:
    for path, file in sorted(tree.items()):
        yield from _file(path, file)


def _file(path: bytes, file: WikiFile) -> Iterator[bytes]:
    if file.mode == SUBMODULE:
        yield b"M %s %s %s\n" % (file.mode.encode(), file.content, path)
    else:
        yield b"M %s inline %s\n" % (file.mode.encode(), path)
        yield _data(file.content)


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _git(directory: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Output of git, run without any configuration but the repository's own.

    The environment is new, so that no GIT_* variable of a hook around us points elsewhere.
    """
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    command = ["git", "-C", str(directory), *arguments]
    finished = subprocess.run(
        command, input=stdin, capture_output=True, env=environment, check=False
    )
    if finished.returncode != 0:
        raise WikiError(f"git {arguments[0]} failed: {finished.stderr.decode().strip()}")
    return finished.stdout
