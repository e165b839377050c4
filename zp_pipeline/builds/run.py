"""One run of a build: is alive, claims its requests, holds the build lock, tells its phase.

A Dagster run, whoever started it, and `zp rebuild` all go through here, so that no two builds write
at once and every run is seen in the request table.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from zp_pipeline.builds.steps import Build, StepResult
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.shared.errors import WikiError
from zp_pipeline.shared.generation.manifest import CheckRecord
from zp_pipeline.shared.sync.models import Failure, Phase, Target

OnWait = Callable[[str | None], None]


def utc_now() -> datetime:
    """Return the present time."""
    return datetime.now(UTC)


class BuildRun:
    """A run that holds the build lock; `key` is the partition: the first 12 of a commit id."""

    def __init__(self, workspace: Workspace, run_id: str, key: str, pull: bool) -> None:
        """Describe a run; `pull` says that its requests want the wiki fetched."""
        self.workspace = workspace
        self.run_id = run_id
        self.key = key
        self.started_at = utc_now()
        self.counts: dict[str, int] = {}
        self.judged: dict[str, list[CheckRecord]] = {}  # what the gate found, by root digest
        self._pull = pull

    def fetch(self) -> None:
        """Fetch the wiki where asked, or where the commit is not here yet. Raises `WikiError`."""
        if self._pull or not self._has_commit():
            self.workspace.mirror.fetch()

    @cached_property
    def build(self) -> Build:
        """The build of this run's commit. Raises `CommitUnknown`."""
        return Build(self.workspace, self.workspace.mirror.resolve(self.key))

    def count(self, result: StepResult) -> StepResult:
        """Keep the counts of a step for the result of the request."""
        self.counts.update(result.counts)
        return result

    def enter(self, phase: Phase) -> None:
        """Tell the request table what this run is doing."""
        self.workspace.requests.set_phase(self.run_id, phase)

    def succeed(self, result: dict[str, Any]) -> None:
        """Close the requests of this run with `result`."""
        self.workspace.requests.succeed(self.run_id, result)

    def fail(self, error: Exception) -> None:
        """Close the requests of this run, or give them back for another try where one may help."""
        self.workspace.requests.fail(self.run_id, Failure.of(error))

    def _has_commit(self) -> bool:
        try:
            self.workspace.mirror.resolve(self.key)
        except WikiError:
            return False
        return True


@contextmanager
def open_run(
    workspace: Workspace, run_id: str, key: str, upto: int | None, on_wait: OnWait
) -> Iterator[BuildRun]:
    """Claim the requests up to `upto`, wait for the build lock, and yield the run.

    Without `upto` the run was started by hand and records itself. `on_wait` is called once, with
    the run in the way, when another build is under way.
    """
    with workspace.lock.alive(run_id):
        pull = claim(workspace, run_id, key, upto)
        with workspace.lock.hold(run_id, on_wait):
            workspace.store.artifacts.clear_staging()
            yield BuildRun(workspace, run_id, key, pull)


def claim(workspace: Workspace, run_id: str, key: str, upto: int | None) -> bool:
    """Make this run the one that answers the waiting requests; return whether they want a fetch."""
    target = Target(key, workspace.settings_fingerprint)
    claimed = workspace.requests.claim(run_id, target, upto) if upto is not None else None
    if claimed is None or not claimed.requests:
        workspace.requests.record_run(run_id, target)
        return False
    return claimed.pull
