"""Fixtures of the request table's tests: a database that begins empty, and a clock set by hand.

`TEST_POSTGRES_URL` (SQLAlchemy) runs them on PostgreSQL too; its tables are dropped.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from zp_pipeline.shared.sync.repository import RequestTable
from zp_pipeline.shared.sync.tables import metadata

POSTGRES_URL = os.environ.get("TEST_POSTGRES_URL")


@pytest.fixture
def clock() -> list[datetime]:
    """What the clock has shown; the last is the time now."""
    return [datetime(2026, 3, 1, 12, tzinfo=UTC)]


@pytest.fixture(params=["sqlite", "postgresql"] if POSTGRES_URL else ["sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'home' / 'sync.sqlite'}"
    assert POSTGRES_URL
    engine = create_engine(POSTGRES_URL)
    metadata.drop_all(engine)
    engine.dispose()
    return POSTGRES_URL


@pytest.fixture
def table(url: str, clock: list[datetime]) -> Iterator[RequestTable]:
    """An empty request table."""
    with RequestTable(url, lambda: clock[-1]) as opened:
        yield opened
