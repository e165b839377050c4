"""What a bare repository holds: commits, trees, blobs.

Belongs here: reading only, of objects that are there. Where they come from: `mirror`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from zp_pipeline.shared.errors import CommitUnknown, WikiError
from zp_pipeline.wiki.git import Git, GitFailed

READ_SECONDS = 300
COMMIT_PREFIX = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """What people want to know of a commit; the time is in UTC."""

    sha: str
    committed_at: datetime
    subject: str


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file of a commit; `kind` is git's, `size_bytes` 0 for a submodule."""

    path_bytes: bytes
    mode: str
    kind: str
    blob: str
    size_bytes: int


class ObjectReader:
    """Reads the repository in which `git` runs; it need not exist yet."""

    def __init__(self, git: Git) -> None:
        """Keep `git`."""
        self._git = git

    def resolve(self, prefix: str) -> str:
        """Return the full id of a commit. Raises `CommitUnknown`."""
        found = self._find_commit(prefix) if COMMIT_PREFIX.fullmatch(prefix) else None
        if found is None:
            raise CommitUnknown(f"the mirror has no commit {prefix}, or more than one")
        return found

    def commit(self, sha: str) -> CommitInfo:
        """Return what is known of a commit. Raises `CommitUnknown`."""
        form = "--format=%H%n%ct%n%s"
        shown = self._read("log", "-1", "--no-show-signature", form, self.resolve(sha))
        full, seconds, subject = shown.decode(errors="replace").split("\n", 2)
        return CommitInfo(full, datetime.fromtimestamp(int(seconds), UTC), subject.strip())

    def entries(self, sha: str) -> list[TreeEntry]:
        """Return all files of a commit, in git's order. Raises `CommitUnknown`."""
        commit = self.resolve(sha)
        listed = self._read("ls-tree", "-r", "-z", "--long", "--full-tree", commit)
        return [_entry(line) for line in listed.split(b"\0") if line]

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield id and content of blobs, one at a time. Raises `WikiError` for one not whole."""
        wanted = list(ids)
        if not wanted:
            return
        requests = "".join(f"{blob}\n" for blob in wanted).encode()
        with self._git.stream("cat-file", "--batch", "--buffer", requests=requests) as output:
            for blob in wanted:
                header = output.readline().split()
                size = int(header[2]) if len(header) == 3 else -1
                content = output.read(size + 1)[:-1]
                if len(content) != size:
                    raise WikiError(f"object {blob} of the mirror is missing or damaged")
                yield blob, content

    def _find_commit(self, revision: str) -> str | None:
        if not self._git.directory.is_dir():
            return None
        arguments = ("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        try:
            return self._git.run(*arguments, timeout_seconds=READ_SECONDS).decode().strip()
        except GitFailed:
            return None

    def _read(self, *arguments: str) -> bytes:
        """Return what git prints. Raises `WikiError`."""
        try:
            return self._git.run(*arguments, timeout_seconds=READ_SECONDS)
        except GitFailed as error:
            raise WikiError(f"git on the mirror: {error.message}") from None


def _entry(line: bytes) -> TreeEntry:
    facts, path = line.split(b"\t", 1)
    mode, kind, blob, size = facts.decode().split()
    return TreeEntry(path, mode, kind, blob, 0 if size == "-" else int(size))
