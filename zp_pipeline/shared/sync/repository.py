"""The transitions of the request table. Whoever builds asks here; nobody else changes a row.

    enqueue ──▶ queued ──claim──▶ running ──succeed──▶ succeeded
                  ▲                 │ ▲
                  │   fail, abandon │ └── record_run (a run started by hand)
                  ├─────────────────┤
                  │ attempt 1, 2    │ attempt 3, a permanent failure,
                                    │ or a run started by hand
                                    └────────────────▶ failed

- One run answers all that is queued when it claims; a fetch that any of them asked for is made.
  What is asked while it runs stays queued: one follow-up answers all of that.
- An attempt is counted when it is claimed, so that a crash cannot lose it. Requests claimed
  together share the highest count of their target; another target (commit, settings) starts at 1.
- Only its claimant moves a running request. Transitions give back the rows they moved: none means
  that the run was given up in the meantime.
- A run started by hand builds a commit that somebody chose, which no later build of the head
  repeats: it fails at once, and does not keep the sensor from trying.
- Order is that of `seq`. Times are only shown, so that a clock may jump.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import URL, Connection, func, literal, select, update

from zp_pipeline.shared.sync.models import (
    MAX_ATTEMPTS,
    Claim,
    Failure,
    Phase,
    Request,
    Source,
    Status,
    Target,
)
from zp_pipeline.shared.sync.rows import (
    FINISHED,
    OPEN,
    columns,
    held_by,
    insert_row,
    newest_row,
    prune,
    select_rows,
    update_rows,
)
from zp_pipeline.shared.sync.tables import open_engine, request_queue, writing

KEPT_REQUESTS = 10_000


def utc_now() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


class RequestTable:
    """The table at one database URL. Threads and processes may share it."""

    def __init__(
        self, url: str | URL, now: Callable[[], datetime] = utc_now, keep: int = KEPT_REQUESTS
    ) -> None:
        """Open the table at `url`, made on first use; it keeps about `keep` finished requests.

        Raises `SettingsError`.
        """
        self._engine = open_engine(url)
        self._now = now
        self._keep = keep

    def __enter__(self) -> Self:
        """Return the table itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close its connections."""
        self.close()

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        self._engine.dispose()

    def enqueue(
        self,
        source: Source,
        *,
        pull: bool,
        delivery_id: str | None = None,
    ) -> Request:
        """Ask for a build of the head. A delivery known already gives its first request again."""
        with writing(self._engine) as connection:
            if delivery_id is not None:
                known = select_rows(connection, columns.delivery_id == delivery_id)
                if known:
                    return known[0]
            prune(connection, self._keep)
            return insert_row(
                connection,
                created_at=self._now(),
                source=source,
                pull=pull,
                delivery_id=delivery_id,
                state="queued",
                attempts=0,
            )

    def claim(self, run_id: str, target: Target, upto: int | None = None) -> Claim:
        """Take all that is queued, up to the seq `upto`; asked again, a run gets what it has."""
        with writing(self._engine) as connection:
            return Claim(run_id, self._claim(connection, run_id, target, upto))

    def record_run(self, run_id: str, target: Target) -> Request:
        """Record a run that somebody started by hand; asked again, return the same request."""
        with writing(self._engine) as connection:
            known = select_rows(connection, held_by(run_id))
            if known:
                return known[0]
            return insert_row(
                connection,
                created_at=self._now(),
                source="ui",
                pull=False,
                state="running",
                phase="lock_wait",
                attempts=1,
                commit=target.commit,
                settings_fingerprint=target.settings_fingerprint,
                run_id=run_id,
                started_at=self._now(),
            )

    def set_phase(self, run_id: str, phase: Phase) -> tuple[Request, ...]:
        """Say what the run is at."""
        with writing(self._engine) as connection:
            return update_rows(connection, held_by(run_id), phase=phase)

    def succeed(self, run_id: str, result: Mapping[str, Any]) -> tuple[Request, ...]:
        """Finish the requests of a run; `result` is plain JSON."""
        with writing(self._engine) as connection:
            return self._succeed(connection, run_id, result)

    def fail(self, run_id: str, failure: Failure) -> tuple[Request, ...]:
        """End an attempt: its requests go back to the queue, or fail where no try is left."""
        with writing(self._engine) as connection:
            return self._fail(connection, run_id, failure)

    def abandon(self, run_id: str, reason: str = "orphaned") -> tuple[Request, ...]:
        """End the attempt of a run whose process is gone."""
        return self.fail(run_id, Failure(reason, "the process of the build ended before it did"))

    def succeed_queued(
        self, run_id: str, target: Target, result: Mapping[str, Any], upto: int | None = None
    ) -> tuple[Request, ...]:
        """Claim and succeed at once: what is asked for is published already."""
        with writing(self._engine) as connection:
            self._claim(connection, run_id, target, upto)
            return self._succeed(connection, run_id, result)

    def fail_queued(
        self, run_id: str, target: Target, failure: Failure, upto: int | None = None
    ) -> tuple[Request, ...]:
        """Claim and fail at once: the attempt ended before a run could claim anything."""
        with writing(self._engine) as connection:
            self._claim(connection, run_id, target, upto)
            return self._fail(connection, run_id, failure)

    def beat(self) -> None:
        """Note that somebody listens to the table."""
        with writing(self._engine) as connection:
            connection.execute(update(request_queue).values(worker_seen_at=self._now()))

    def already_failed(self, target: Target) -> bool:
        """Whether the last finished request for `target` used up its tries or failed for good."""
        with self._engine.begin() as connection:
            last = newest_row(
                connection,
                columns.state.in_(FINISHED),
                columns.source != "ui",
                columns.commit == target.commit,
                columns.settings_fingerprint == target.settings_fingerprint,
            )
        return last is not None and last.state == "failed"

    def job(self, job_id: str) -> Request | None:
        """Return the request with this job id."""
        with self._engine.begin() as connection:
            return newest_row(connection, columns.job_id == job_id)

    def newest_queued(self) -> Request | None:
        """Return the request up to which a run that starts now should claim."""
        with self._engine.begin() as connection:
            return newest_row(connection, columns.state == "queued")

    def running(self) -> tuple[Request, ...]:
        """Return what runs, oldest first."""
        with self._engine.begin() as connection:
            return select_rows(connection, columns.state == "running")

    def status(self) -> Status:
        """Return what is going on, and how the last builds ended."""
        with self._engine.begin() as connection:
            return Status(
                active=select_rows(connection, columns.state.in_(OPEN)),
                last_success=newest_row(connection, columns.state == "succeeded"),
                last_failure=newest_row(connection, columns.state == "failed"),
                worker_seen_at=connection.scalar(select(request_queue.c.worker_seen_at)),
            )

    def _claim(
        self, connection: Connection, run_id: str, target: Target, upto: int | None
    ) -> tuple[Request, ...]:
        held = select_rows(connection, held_by(run_id))
        reach = columns.state == "queued"
        if upto is not None:
            reach &= columns.seq <= upto
        queued = select_rows(connection, reach)
        if held or not queued:
            return held
        return update_rows(
            connection,
            reach,
            state="running",
            phase="lock_wait",
            attempts=max(request.next_attempt(target) for request in queued),
            commit=target.commit,
            settings_fingerprint=target.settings_fingerprint,
            run_id=run_id,
            covered_by=func.nullif(literal(queued[-1].seq), columns.seq),
            started_at=self._now(),
        )

    def _succeed(
        self, connection: Connection, run_id: str, result: Mapping[str, Any]
    ) -> tuple[Request, ...]:
        return update_rows(
            connection,
            held_by(run_id),
            state="succeeded",
            phase=None,
            error_reason=None,
            error_detail=None,
            result=dict(result),
            finished_at=self._now(),
        )

    def _fail(self, connection: Connection, run_id: str, failure: Failure) -> tuple[Request, ...]:
        error = {"error_reason": failure.reason, "error_detail": failure.detail}
        final = (columns.attempts >= MAX_ATTEMPTS) | (columns.source == "ui")
        last_try = held_by(run_id) if failure.permanent else held_by(run_id) & final
        failed = update_rows(connection, last_try, state="failed", finished_at=self._now(), **error)
        requeued = update_rows(
            connection,
            held_by(run_id),
            state="queued",
            phase=None,
            covered_by=None,
            started_at=None,
            **error,
        )
        return failed + requeued
