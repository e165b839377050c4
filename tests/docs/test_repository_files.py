"""What is committed depends on no machine and no host."""

import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
# Folders of some machine; not the path of a URL or of another folder, nor in an expression.
MACHINE_PATH = re.compile(r"(?<![\w.~}/-])/(?:work|root|home)/\w")


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-uv.lock"])
def test_lock_file_names_no_host_and_every_hash(name: str) -> None:
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert re.search(r"--hash=sha256:[0-9a-f]{64}", text)


@pytest.mark.parametrize(
    ("text", "found"), [('"/home/me/x"', True), ("https://a.b/work/x", False), ("~/work/x", False)]
)
def test_machine_path_each_case(text: str, found: bool) -> None:
    assert bool(MACHINE_PATH.search(text)) is found


def test_tracked_files_none_names_a_machine_path() -> None:
    command = ["git", "-c", f"safe.directory={REPOSITORY}", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True).stdout
    tracked = [REPOSITORY / name for name in listed.decode().split("\0") if name]
    assert len(tracked) > 100
    named = [
        path
        for path in tracked
        if path != Path(__file__)  # it holds the cases of the pattern
        and path.is_file()
        and MACHINE_PATH.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert named == []
