"""What the wiki's server says, without fetching: `git ls-remote`, cheap and writing nothing."""

from zp_pipeline.shared.errors import BranchMissing
from zp_pipeline.wiki.git import Git, GitFailed, SshAccess
from zp_pipeline.wiki.location import Location

ASK_SECONDS = 20  # a tick of the sensor that asks has sixty
BRANCHES = "refs/heads/"


class Remote:
    """The repository at a location, as seen from outside of any repository of ours."""

    def __init__(self, location: Location, ssh: SshAccess) -> None:
        """Ask nothing yet."""
        self._url = location.url
        self._git = Git(location, ssh)

    def head(self, branch: str) -> str:
        """Return the head of a branch. Raises `BranchMissing`, `GitUnavailable`, `WikiError`."""
        ref = BRANCHES + branch
        for value, name in self._ask(ref):
            if name == ref:
                return value
        raise BranchMissing(f"{self._url} has no branch {branch} with a commit in it")

    def default_branch(self) -> str:
        """Return the branch that HEAD names. Raises as `head` does."""
        answers = self._ask("HEAD")
        for value, _ in answers:
            if value.startswith(f"ref: {BRANCHES}"):
                return value.removeprefix(f"ref: {BRANCHES}")
        why = "its HEAD is detached: name a branch" if answers else "it has no commit there yet"
        raise BranchMissing(f"{self._url} has no default branch ({why}, ZP_WIKI_BRANCH)")

    def _ask(self, pattern: str) -> list[tuple[str, str]]:
        """Return pairs of value and name of ref."""
        arguments = ("ls-remote", "--symref", "--", self._url, pattern)
        try:
            answer = self._git.run(*arguments, timeout_seconds=ASK_SECONDS)
        except GitFailed as error:
            raise error.as_ours(self._url) from None
        lines = answer.decode(errors="replace").splitlines()
        return [(value, name) for value, _, name in (line.partition("\t") for line in lines)]
