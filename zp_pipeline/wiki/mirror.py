"""Our bare mirror of the wiki, and what we accepted of it.

Belongs here: how the mirror is made, brought up to date and checked. What it holds is read by
`objects`, what its server says by `remote`, git itself is run by `git`. A mirror has no working
tree and one ref, `refs/remotes/origin/<branch>`: the last accepted head.
"""

import re
import shutil
from functools import cached_property
from pathlib import Path

from zp_pipeline.shared.errors import CommitUnknown, HistoryRewritten, WikiError, WrongOrigin
from zp_pipeline.wiki.git import Git, GitFailed, SshAccess
from zp_pipeline.wiki.location import Location
from zp_pipeline.wiki.objects import COMMIT_PREFIX, READ_SECONDS, ObjectReader
from zp_pipeline.wiki.remote import BRANCHES, Remote

FETCH_SECONDS = 1800
ORIGIN_KEY = "remote.origin.url"
BRANCH_KEY = "zp.branch"
NOT_FORWARD = re.compile(r"\[rejected\].*\(non-fast-forward\)")


class Mirror(ObjectReader):
    """The mirror, under `root` (`$ZP_HOME/wiki`), of `branch` of the repository at `url`."""

    def __init__(
        self, root: Path, url: str, branch: str | None, ssh: SshAccess | None = None
    ) -> None:
        """Touch nothing yet. Raises `WikiError` when `url` is a folder that is not there."""
        self.path = root / "mirror.git"
        self._ssh = ssh or SshAccess()
        self._location = Location.parse(url)
        self._configured_branch = branch
        self._remote = Remote(self._location, self._ssh)
        super().__init__(Git(self._location, self._ssh, self.path))

    @cached_property
    def branch(self) -> str:
        """The configured branch, else the one that the mirror is of, else the default there."""
        if self._configured_branch:
            return self._configured_branch
        if self.path.is_dir() and self._stored(ORIGIN_KEY) == self._location.url:
            return self._stored(BRANCH_KEY)
        return self._remote.default_branch()

    @property
    def shown_url(self) -> str:
        """Where the wiki is, for people: without credentials."""
        return self._location.url

    def remote_head(self) -> str:
        """Return the head of the branch on its server; writes nothing.

        Raises `BranchMissing`, `GitUnavailable`, `WikiError`.
        """
        return self._remote.head(self.branch)

    def fetch(self) -> str:
        """Bring the branch up to date and return its head; what we accepted is never rewritten.

        Raises `HistoryRewritten` when the head there does not descend from the accepted one, so
        also when it went back to an ancestor; `WrongOrigin`, and what `remote_head` raises.
        """
        there = self.remote_head()
        self._prepare(there)
        accepted = self.head()
        if accepted == there:
            return there
        self._fetch(f"{BRANCHES}{self.branch}:{self._ref}", there)
        head = self.head()
        if head is None or head == accepted:  # git only warns of this one
            raise WikiError(f"{self._location.url} is a shallow clone: `git fetch --unshallow` it")
        return head

    def head(self) -> str | None:
        """Return the last accepted head, None before the first fetch."""
        return self._find_commit(self._ref)

    def accept(self, sha: str) -> str:
        """Take the head there, however it came to be, as accepted; `sha` is it or a prefix of it.

        Returns the full id. Raises `CommitUnknown` when the head there is another one.
        """
        there = self.remote_head()
        if not COMMIT_PREFIX.fullmatch(sha) or not there.startswith(sha):
            raise CommitUnknown(f"{sha} is not the head of {self.branch}, which is {there}")
        self._prepare(there)
        self._fetch(
            BRANCHES + self.branch, there
        )  # objects only: the ref changes to what was named
        self._read("update-ref", self._ref, self.resolve(there))
        return there

    def verify(self) -> None:
        """Raise `WrongOrigin` or `WikiError` unless origin and refs are ours and objects whole."""
        if not self.path.is_dir():
            raise WikiError("nothing was fetched yet")
        self._check_origin()
        names = self._read("for-each-ref", "--format=%(refname)").decode().split()
        if strange := sorted(set(names) - {self._ref}):
            raise WikiError(f"the mirror has refs that are not ours: {', '.join(strange)}")
        self._read("fsck", "--full", "--no-dangling", "--no-progress")

    def uncommitted_changes(self) -> bool:
        """Tell whether the wiki is a local work tree with changes that are in no commit."""
        folder = self._location.folder
        if folder is None or not (folder / ".git").exists():
            return False
        arguments = ("-c", "core.fsmonitor=false", "status", "--porcelain")
        try:
            git = Git(self._location, self._ssh, folder)
            return bool(git.run(*arguments, timeout_seconds=READ_SECONDS))
        except GitFailed as error:
            raise error.as_ours(self._location.url) from None

    @property
    def _ref(self) -> str:
        return f"refs/remotes/origin/{self.branch}"

    def _fetch(self, refspec: str, there: str) -> None:
        arguments = ("fetch", "--no-tags", "--no-recurse-submodules", "origin", refspec)
        try:
            self._git.run(*arguments, timeout_seconds=FETCH_SECONDS)
        except GitFailed as error:
            raise self._why_not_fetched(error, there) from None

    def _why_not_fetched(self, error: GitFailed, there: str) -> Exception:
        if NOT_FORWARD.search(error.message):
            return HistoryRewritten(
                f"{there}, the head of {self.branch}, does not descend from the accepted "
                f"{self.head()}; "
                f"`zp wiki accept {there[:12]}` accepts it"
            )
        return error.as_ours(self._location.url)

    def _prepare(self, head: str) -> None:
        """Make the mirror, whole or not at all, or check that it is ours.

        A killed git leaves lock files behind; whoever writes here holds the build lock, so that
        those found now are nobody's.
        """
        if self.path.is_dir():
            self._check_origin()
            for lock in self.path.rglob("*.lock"):
                lock.unlink(missing_ok=True)
            return
        fresh = self.path.with_name("mirror.git.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        new = ObjectReader(Git(self._location, self._ssh, fresh))
        hashes = "sha256" if len(head) == 64 else "sha1"
        new._read("init", "--bare", "--quiet", "--template=", f"--object-format={hashes}", ".")
        new._read("config", ORIGIN_KEY, self._location.url)
        new._read("config", BRANCH_KEY, self.branch)
        fresh.rename(self.path)

    def _check_origin(self) -> None:
        here = (self._stored(ORIGIN_KEY), self._stored(BRANCH_KEY))
        if here != (self._location.url, self.branch):
            raise WrongOrigin(
                f"the mirror is of {here[0]}, branch {here[1]}, the settings name "
                f"{self._location.url}, branch {self.branch}; use another ZP_HOME for another wiki"
            )

    def _stored(self, key: str) -> str:
        return self._read("config", "--local", "--default", "", key).decode().strip()
