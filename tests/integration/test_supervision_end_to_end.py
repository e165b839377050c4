"""`make run` without make: everything starts, says READY once, and leaves nothing behind."""

import json
import os
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.git_wiki import GitWiki
from tests.support.homes import new_home
from tests.support.ports import free_port
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.rebuild import rebuild

REPOSITORY = Path(__file__).parents[2]
READY_LINE = re.compile(r"READY api=(\S+) dagster=(\S+)")
NOTICED_SECONDS = 60
KEYS = {"SEARCH_API_KEY": "s" * 32, "SYNC_API_KEY": "y" * 32, "WEBHOOK_SECRET": "w" * 32}


def environment(home: Path, wiki: Path) -> dict[str, str]:
    """Return the environment of a home on free ports."""
    settings = {"ZP_HOME": str(home), "ZP_WIKI_URL": str(wiki), **KEYS}
    ports = {"ZP_API_PORT": str(free_port()), "ZP_DAGSTER_PORT": str(free_port())}
    return {**os.environ, **settings, **ports}


@contextmanager
def everything_up(home: Path, wiki: Path) -> Iterator[str]:
    """Run `zp up` and yield the address of the API once it is READY; Ctrl-C at the end."""
    process = subprocess.Popen(
        ["zp", "up"],
        cwd=REPOSITORY,
        env=environment(home, wiki),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    ready = READY_LINE.fullmatch(process.stdout.readline().strip())
    assert ready, "not ready"
    with process:
        try:
            yield ready[1]
        finally:
            process.send_signal(signal.SIGINT)
            assert process.stdout.read() == ""
            assert process.wait(timeout=30) == 130


def health(api: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{api}/health", timeout=5) as response:
        return dict(json.load(response))


def processes_of(home: Path) -> list[str]:
    """Return the command lines of processes that work for `home`."""
    wanted = f"ZP_HOME={home}".encode()
    return [
        entry.with_name("cmdline").read_text()
        for entry in Path("/proc").glob("[0-9]*/environ")
        if is_of(entry, wanted)
    ]


def is_of(environ: Path, wanted: bytes) -> bool:
    try:
        return wanted in environ.read_bytes().split(b"\0")
    except OSError:  # ended, or somebody else's
        return False


def test_up_serves_a_push_and_leaves_nothing_and_a_second_start_computes_nothing(
    tmp_path: Path, wiki: GitWiki
) -> None:
    home = new_home(tmp_path)
    with everything_up(home, wiki.directory) as api:
        assert health(api)["generation"]["commit"] == wiki.head()
        pushed = wiki.push({"pages/nova.md": "# Nová\n\nPridaná počas behu.\n"})
        wait_for_commit(api, pushed)
    assert processes_of(home) == []
    artifacts = sorted((home / "store" / "artifacts").glob("*/*"))
    with everything_up(home, wiki.directory) as api:
        assert health(api)["generation"]["commit"] == pushed
    assert sorted((home / "store" / "artifacts").glob("*/*")) == artifacts


def wait_for_commit(api: str, commit: str) -> None:
    deadline = time.monotonic() + NOTICED_SECONDS
    while health(api)["generation"]["commit"] != commit:
        assert time.monotonic() < deadline, "the push was not published"
        time.sleep(0.5)


def test_up_home_of_another_wiki_ends_with_an_error(
    tmp_path: Path, wiki: GitWiki, open_home: Callable[[], Workspace]
) -> None:
    assert rebuild(open_home(), pull=True).published
    other = GitWiki(tmp_path / "other")
    other.push({"a.md": "# Iná wiki\n"})
    done = subprocess.run(
        ["zp", "up"],
        cwd=REPOSITORY,
        env=environment(open_home().home, other.directory),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "wrong_origin" in done.stderr
    assert "READY" not in done.stdout
