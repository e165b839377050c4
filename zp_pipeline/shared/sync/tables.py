"""How the request table is kept: its columns, the engine, transactions with one writer at a time.

SQLite and PostgreSQL run the same statements. Writers queue up in both (BEGIN IMMEDIATE, an
advisory lock), so that a transition may read, decide and write. What is decided stands in
`repository`.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import (
    JSON,
    URL,
    Boolean,
    Column,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
    create_engine,
    event,
    insert,
    select,
)
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from zp_pipeline.shared.errors import SettingsError

SCHEMA_VERSION = 1
BUSY_TIMEOUT_SECONDS = 30
POSTGRESQL_LOCK = 0x7A70_7379  # any constant: the name of our writers' lock in that database


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC time; SQLite keeps none of the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC on the way in."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back the zone that SQLite dropped, or leave that of the session in PostgreSQL."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData()

requests = Table(
    "requests",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("job_id", String, nullable=False, unique=True),
    Column("source", String, nullable=False),
    Column("pull", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("phase", String),
    Column("attempts", Integer, nullable=False),
    Column("commit", String),
    Column("settings_fingerprint", String),
    Column("run_id", String),
    Column("delivery_id", String, unique=True),
    Column("covered_by", Integer),
    Column("error_reason", String),
    Column("error_detail", String),
    Column("result", JSON(none_as_null=True)),
    Column("created_at", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime),
    Column("finished_at", UtcDateTime),
    Index("requests_by_state", "state", "seq"),
    sqlite_autoincrement=True,
)

# Its one row belongs to the table as a whole.
request_queue = Table(
    "request_queue",
    metadata,
    Column("schema_version", Integer, primary_key=True, autoincrement=False),
    Column("worker_seen_at", UtcDateTime),
)


def database_url(home: Path, configured: str | None) -> str | URL:
    """Return `configured`, else the URL of the SQLite file in `home`."""
    return configured or URL.create("sqlite", database=str(home / "sync.sqlite"))


def open_engine(url: str | URL) -> Engine:
    """Connect to `url` and make the tables where there are none.

    Raises `SettingsError` for a URL that cannot be used, and for tables of another schema version.
    """
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except (ArgumentError, ImportError) as error:
        raise SettingsError(
            f"ZP_SYNC_DB_URL is not a usable SQLAlchemy URL ({type(error).__name__})"
        ) from None
    if engine.dialect.name == "sqlite":
        Path(engine.url.database or "").parent.mkdir(parents=True, exist_ok=True)
        event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin)
    try:
        _create_tables(engine)
    except SettingsError:
        engine.dispose()
        raise
    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction, committed at the end; no other writer is in one at the same time."""
    with engine.execution_options(zp_writes=True).begin() as connection:
        yield connection


def _prepare_sqlite(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    """Let us begin transactions ourselves, wait for other writers, and keep a log beside."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: DBAPICursor) -> None:
    """Switch to a write-ahead log, waiting for those who switch at the same time.

    The busy timeout does not hold for this statement: of 160 first uses by eight threads at once,
    three had a "database is locked".
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _begin(connection: Connection) -> None:
    """Take the writers' lock at once: SQLite cannot upgrade a reader that another one overtook."""
    writes = connection.get_execution_options().get("zp_writes", False)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
    elif writes:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({POSTGRESQL_LOCK})")


def _create_tables(engine: Engine) -> None:
    with writing(engine) as connection:
        metadata.create_all(connection)
        version = connection.scalar(select(request_queue.c.schema_version))
        if version is None:
            connection.execute(insert(request_queue).values(schema_version=SCHEMA_VERSION))
        elif version != SCHEMA_VERSION:
            raise SettingsError(
                f"the request table (ZP_SYNC_DB_URL) has schema version {version},"
                f" this program needs {SCHEMA_VERSION}"
            )
