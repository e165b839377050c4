"""Opening the database: first use by several processes, other schema versions, unusable URLs."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from subprocess import PIPE

import pytest
from sqlalchemy import select, update

from zp_pipeline.shared.errors import SettingsError
from zp_pipeline.shared.sync.tables import (
    database_url,
    open_engine,
    request_queue,
    writing,
)

ENQUEUE = """
import sys
from zp_pipeline.shared.sync.repository import RequestTable
print("ready", flush=True)
sys.stdin.readline()
with RequestTable(sys.argv[1]) as table:
    for _ in range(5):
        table.enqueue("cli", pull=False)
"""


def test_database_url_unconfigured_is_file_in_home(tmp_path: Path) -> None:
    home = tmp_path / "a home? 100% ours"
    open_engine(database_url(home, None)).dispose()
    assert (home / "sync.sqlite").is_file()
    assert database_url(home, "postgresql://db/zp") == "postgresql://db/zp"


def test_open_engine_first_use_by_four_processes_loses_nothing(url: str) -> None:
    command = [sys.executable, "-c", ENQUEUE, url]
    started = [subprocess.Popen(command, stdin=PIPE, stdout=PIPE) for _ in range(4)]
    for process in started:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(subprocess.Popen.communicate, started))
    assert [process.returncode for process in started] == [0] * 4
    engine = open_engine(url)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM requests").scalar() == 20
    engine.dispose()


def test_open_engine_other_schema_version_names_both(url: str) -> None:
    engine = open_engine(url)
    with writing(engine) as connection:
        connection.execute(update(request_queue).values(schema_version=7))
    engine.dispose()
    with pytest.raises(SettingsError, match="schema version 7, this program needs 1"):
        open_engine(url)


@pytest.mark.parametrize("bad", ["nonsense secret", "sqlserverx://u:secret@db/zp"])
def test_open_engine_unusable_url_names_setting_not_value(bad: str) -> None:
    with pytest.raises(SettingsError, match="ZP_SYNC_DB_URL") as caught:
        open_engine(bad)
    assert "secret" not in str(caught.value)


def test_open_engine_sqlite_writes_ahead(tmp_path: Path) -> None:
    open_engine(f"sqlite:///{tmp_path / 'sync.sqlite'}").dispose()
    connection = sqlite3.connect(tmp_path / "sync.sqlite")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_times_of_any_zone_come_back_in_utc(url: str) -> None:
    engine = open_engine(url)
    noon = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    with writing(engine) as connection:
        connection.execute(update(request_queue).values(worker_seen_at=noon))
        seen = connection.scalar(select(request_queue.c.worker_seen_at))
    engine.dispose()
    assert seen == noon
    assert seen.tzinfo is UTC
