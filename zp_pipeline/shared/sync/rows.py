"""Rows of the request table as values: the few ways in which `repository` reads and changes them.

No function here opens a transaction or knows which transition it serves.
"""

from typing import get_args
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from zp_pipeline.shared.sync.models import Request, State
from zp_pipeline.shared.sync.tables import requests

OPEN: tuple[State, ...] = ("queued", "running")
FINISHED: tuple[State, ...] = tuple(state for state in get_args(State) if state not in OPEN)

columns = requests.c


def held_by(run_id: str) -> ColumnElement[bool]:
    """Return the condition that a request runs, and that this run claimed it."""
    return (columns.state == "running") & (columns.run_id == run_id)


def select_rows(connection: Connection, *conditions: ColumnElement[bool]) -> tuple[Request, ...]:
    """Return the rows that meet all conditions, oldest first."""
    rows = connection.execute(select(requests).where(*conditions).order_by(columns.seq))
    return tuple(Request(**row) for row in rows.mappings())


def newest_row(connection: Connection, *conditions: ColumnElement[bool]) -> Request | None:
    """Return the newest row that meets all conditions."""
    query = select(requests).where(*conditions).order_by(columns.seq.desc()).limit(1)
    row = connection.execute(query).mappings().first()
    return None if row is None else Request(**row)


def insert_row(connection: Connection, **values: object) -> Request:
    """Add a row with a job id of its own and return it."""
    row = {"job_id": str(uuid4()), **values}
    inserted = connection.execute(insert(requests).values(row).returning(*columns))
    return Request(**inserted.mappings().one())


def update_rows(
    connection: Connection, condition: ColumnElement[bool], **values: object
) -> tuple[Request, ...]:
    """Change the rows that meet `condition` and return them as they now are, oldest first."""
    changed = connection.execute(
        update(requests).where(condition).values(**values).returning(*columns)
    )
    rows = (Request(**row) for row in changed.mappings())
    return tuple(sorted(rows, key=lambda request: request.seq))


def prune(connection: Connection, keep: int) -> None:
    """Forget finished requests older than the newest `keep`, except those that `status` shows."""
    newest = connection.scalar(select(func.max(columns.seq))) or 0
    shown = select(func.max(columns.seq)).where(columns.state.in_(FINISHED))
    connection.execute(
        delete(requests).where(
            columns.state.in_(FINISHED),
            columns.seq <= newest - keep,
            columns.seq.not_in(shown.group_by(columns.state)),
        )
    )
