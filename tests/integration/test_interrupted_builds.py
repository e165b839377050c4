"""A failure or kill -9 in each step: what is served keeps its bytes, the next run succeeds."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.git_wiki import GitWiki
from tests.support.homes import files_of
from tests.support.interruptions import POINTS, fail, interrupted
from tests.support.questions import found_paths
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.rebuild import rebuild

OpenHome = Callable[[], Workspace]
NEW_PAGE = {"pages/nova.md": "# Nová stránka\n\nPolitika ukladania dát o mrkvovníku.\n"}
REACHED_TIMEOUT_SECONDS = 90


def served_files(workspace: Workspace) -> dict[str, bytes]:
    """Return pointer, manifest and artifacts of the served generation."""
    pointer = workspace.store.pointer()
    assert pointer is not None
    manifest = workspace.store.manifest(pointer.current.id)
    files = {"current.json": workspace.store.pointer_path.read_bytes()}
    for record in manifest.artifacts.values():
        files |= files_of(workspace.store.artifacts.directory(record.kind, record.digest))
    return files


@pytest.mark.parametrize("point", POINTS)
def test_rebuild_step_fails_old_generation_stays_and_next_run_succeeds(
    open_home: OpenHome, wiki: GitWiki, point: str
) -> None:
    rebuild(open_home(), pull=True)
    before = served_files(open_home())
    wiki.push(NEW_PAGE)
    workspace = open_home()
    failed = rebuild(interrupted_like(workspace, point), pull=True)
    assert (failed.published, failed.body["reason"]) == (False, "build_failed")
    assert served_files(open_home()) == before
    assert found_paths(open_home(), "strojový preklad")
    assert rebuild(open_home(), pull=True).published
    assert found_paths(open_home(), "mrkvovník")[0] == "pages/nova.md"


def interrupted_like(workspace: Workspace, point: str) -> Workspace:
    other = interrupted(workspace, point, fail)
    other.passage_encoder, other.query_encoder = workspace.passage_encoder, workspace.query_encoder
    return other


@pytest.mark.parametrize("point", POINTS)
def test_rebuild_killed_in_step_old_generation_stays_and_next_run_succeeds(
    open_home: OpenHome, wiki: GitWiki, tmp_path: Path, point: str
) -> None:
    rebuild(open_home(), pull=True)
    before = served_files(open_home())
    wiki.push(NEW_PAGE)
    kill_rebuild_at(open_home(), point, tmp_path / "reached")
    assert served_files(open_home()) == before
    assert found_paths(open_home(), "strojový preklad")
    assert rebuild(open_home(), pull=True).published
    assert found_paths(open_home(), "mrkvovník")[0] == "pages/nova.md"
    assert open_home().requests.status().active == ()


def kill_rebuild_at(workspace: Workspace, point: str, marker: Path) -> None:
    """Run a rebuild in a process of its own and kill -9 it once it is at `point`."""
    command = [sys.executable, "-m", "tests.support.interrupted_rebuild"]
    arguments = [str(workspace.home), workspace.wiki_url, point, str(marker)]
    process = subprocess.Popen(
        [*command, *arguments], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + REACHED_TIMEOUT_SECONDS
    while not marker.exists():
        assert process.poll() is None, "the rebuild ended by itself"
        assert time.monotonic() < deadline, f"{point} was not reached"
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
