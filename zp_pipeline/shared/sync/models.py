"""What a row of the request table says. Plain values: no SQL, no transitions, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Self

from zp_pipeline.shared.errors import PermanentError, ZpError

Source = Literal["sensor", "cli", "ui", "http", "webhook"]
State = Literal["queued", "running", "succeeded", "failed"]
Phase = Literal["lock_wait", "git", "build", "publish"]

MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Target:
    """What an attempt builds, and therefore what attempts are counted by.

    `commit` has 12 to 40 hex digits, always as many in one installation; it is None while the head
    is unknown, as when the git server could not be asked.
    """

    commit: str | None
    settings_fingerprint: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt failed. `permanent`: trying again cannot help."""

    reason: str
    detail: str
    permanent: bool = False

    @classmethod
    def of(cls, error: Exception) -> Self:
        """Classify `error`. Others than ours show their type only: their text may hold anything."""
        if not isinstance(error, ZpError):
            return cls(ZpError.reason, type(error).__name__)
        return cls(error.reason, str(error), isinstance(error, PermanentError))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One row. Times are in UTC.

    `run_id` names the claimant of the last attempt, `covered_by` the newest request of that
    attempt where it is another one. `phase` is that of a running request, or the one in which a
    failed request failed. The error is the last one, also while a request waits for its next try.
    """

    seq: int
    job_id: str
    source: Source
    pull: bool
    state: State
    phase: Phase | None
    attempts: int
    commit: str | None
    settings_fingerprint: str | None
    run_id: str | None
    delivery_id: str | None
    covered_by: int | None
    error_reason: str | None
    error_detail: str | None
    result: Mapping[str, Any] | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    def next_attempt(self, target: Target) -> int:
        """Return the number, from 1, that a further attempt at `target` would have."""
        known = (self.commit, self.settings_fingerprint)
        return self.attempts + 1 if known == (target.commit, target.settings_fingerprint) else 1


@dataclass(frozen=True, slots=True)
class Claim:
    """The requests that one run answers, oldest first. None: another run took them before."""

    run_id: str
    requests: tuple[Request, ...]

    @property
    def pull(self) -> bool:
        """Whether anyone of those who wait asked for a fetch."""
        return any(request.pull for request in self.requests)


@dataclass(frozen=True, slots=True)
class Status:
    """What `GET /sync/status` shows. `worker_seen_at` None: nobody has ever listened."""

    active: tuple[Request, ...]
    last_success: Request | None
    last_failure: Request | None
    worker_seen_at: datetime | None
