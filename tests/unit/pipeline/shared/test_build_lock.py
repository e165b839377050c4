"""The locks of a build between threads, between processes, and after kill -9."""

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from zp_pipeline.shared import build_lock
from zp_pipeline.shared.build_lock import BuildLock

BUILD = """
import sys
from pathlib import Path
from zp_pipeline.shared.build_lock import BuildLock
lock, run_id = BuildLock(Path(sys.argv[1])), sys.argv[2]
with lock.alive(run_id):
    print("alive", flush=True)
    with lock.hold(run_id, lambda holder: print("waits for", holder, flush=True)):
        print("holds", flush=True)
        sys.stdin.readline()
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home that does not exist yet."""
    return tmp_path / "home"


@pytest.fixture
def lock(home: Path) -> BuildLock:
    """The locks of that home."""
    return BuildLock(home)


class Builder:
    """A process that executes a run until it is told to end."""

    def __init__(self, home: Path, run_id: str) -> None:
        """Start it, and wait until it is alive."""
        command = [sys.executable, "-c", BUILD, str(home), run_id]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.said() == "alive"

    def said(self) -> str:
        """Return its next line."""
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        """Send SIGKILL."""
        self.process.kill()
        self.process.communicate()

    def end(self) -> None:
        """Let it end by itself."""
        self.process.communicate("\n", timeout=30)


@pytest.fixture
def builder(home: Path) -> Iterator[Builder]:
    """A process that executes `run-1` and holds the build lock."""
    started = Builder(home, "run-1")
    assert started.said() == "holds"
    yield started
    started.kill()


def test_hold_free_lock_does_not_wait(lock: BuildLock) -> None:
    waits: list[str | None] = []
    with lock.alive("run"):
        with lock.hold("run", waits.append):
            assert lock.holder() == "run"
        assert lock.holder() is None
    assert waits == []


def test_hold_in_other_process_is_seen_and_ends(lock: BuildLock, builder: Builder) -> None:
    assert lock.holder() == "run-1"
    assert lock.is_alive("run-1") is True
    builder.end()
    assert lock.holder() is None
    assert lock.is_alive("run-1") is False


def test_hold_killed_process_leaves_nothing_locked(lock: BuildLock, builder: Builder) -> None:
    builder.kill()
    assert lock.is_alive("run-1") is False
    assert lock.holder() is None
    with lock.alive("run-2"), lock.try_hold("run-2") as held:
        assert held
        assert lock.holder() == "run-2"


def test_hold_waits_for_other_process_and_names_it(home: Path, builder: Builder) -> None:
    second = Builder(home, "run-2")
    assert second.said() == "waits for run-1"
    assert BuildLock(home).is_alive("run-2") is True
    builder.kill()
    assert second.said() == "holds"
    assert BuildLock(home).holder() == "run-2"
    second.kill()


def test_hold_killed_while_waiting_is_not_alive(home: Path, builder: Builder) -> None:
    second = Builder(home, "run-2")
    assert second.said() == "waits for run-1"
    second.kill()
    assert BuildLock(home).is_alive("run-2") is False
    assert BuildLock(home).holder() == "run-1"


def test_try_hold_taken_lock_gives_false_at_once(lock: BuildLock, builder: Builder) -> None:
    with lock.try_hold("run-2") as held:
        assert not held
    assert lock.holder() == "run-1"


def test_hold_two_threads_exclude_each_other(lock: BuildLock) -> None:
    inside: list[int] = []
    most: list[int] = []

    def build(number: int) -> None:
        with lock.alive(f"run-{number}"), lock.hold(f"run-{number}"):
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.005)
            inside.remove(number)

    threads = [threading.Thread(target=build, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert most == [1] * 8


def test_hold_error_inside_releases(lock: BuildLock) -> None:
    with pytest.raises(ZeroDivisionError), lock.alive("run"), lock.hold("run"):
        raise ZeroDivisionError
    assert lock.holder() is None
    assert lock.is_alive("run") is False


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # of threads that wait, from 3.12
def test_hold_ended_is_free_though_a_forked_child_lives(lock: BuildLock) -> None:
    fork = multiprocessing.get_context("fork")
    child = fork.Process(target=time.sleep, args=(60,), daemon=True)
    with lock.alive("run"), lock.hold("run"):
        child.start()
    with lock.try_hold("other") as held:
        assert held
    assert lock.is_alive("run") is False
    child.kill()
    child.join()


def test_is_alive_unknown_run_gives_none(lock: BuildLock) -> None:
    assert lock.is_alive("never seen") is None


def test_alive_twice_lasts_until_the_last_ends(lock: BuildLock) -> None:
    with lock.alive("run"):
        with lock.alive("run"):
            pass
        assert lock.is_alive("run") is True
    assert lock.is_alive("run") is False


def test_alive_forgets_old_dead_runs_only(home: Path, lock: BuildLock) -> None:
    with lock.alive("long build"):
        for number in range(build_lock.KEPT_RUN_FILES + 5):
            with lock.alive(f"run-{number}"):
                os.utime(home / "runs" / f"run-{number}.lock", (number, number))
        os.utime(home / "runs" / "long build.lock", (0, 0))
        with lock.alive("newest"):
            assert lock.is_alive("long build") is True
    assert lock.is_alive("run-0") is None
    assert lock.is_alive("run-20") is False
