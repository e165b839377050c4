"""The demo wiki as a git repository, with the git of this machine."""

import os
import subprocess
from pathlib import Path

import pytest

from evaluation.corpus.facts import load_facts
from evaluation.corpus.rendering import render_pages
from evaluation.corpus.repository import write_demo_wiki
from evaluation.corpus.wiki_file import REGULAR
from zp_pipeline.shared.errors import PermanentError, WikiError


def git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], check=True, capture_output=True
    ).stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, float]:
    """The repository, the commit it said, and the processor seconds it and git took."""
    directory = tmp_path_factory.mktemp("demo") / "wiki"
    started = sum(os.times()[:4])
    head = write_demo_wiki(directory)
    return directory, head, sum(os.times()[:4]) - started


def test_write_demo_wiki_new_directory_is_a_clean_repository_on_master(
    demo: tuple[Path, str, float],
) -> None:
    directory, head, seconds = demo
    assert git(directory, "rev-parse", "master").decode().strip() == head
    assert git(directory, "symbolic-ref", "HEAD") == b"refs/heads/master\n"
    assert git(directory, "status", "--porcelain") == b""
    assert int(git(directory, "rev-list", "--count", "HEAD")) >= 5
    assert seconds < 5
    assert not list(directory.parent.glob(".demo-wiki-*"))


def test_write_demo_wiki_head_has_exactly_the_rendered_files(
    demo: tuple[Path, str, float],
) -> None:
    directory, head, _ = demo
    lines = git(directory, "ls-tree", "-r", "-z", head).strip(b"\0").split(b"\0")
    modes = {line.partition(b"\t")[2]: line[:6] for line in lines}
    files = render_pages(load_facts())
    assert {path: mode.decode() for path, mode in modes.items()} == {
        path: file.mode for path, file in files.items()
    }


def test_write_demo_wiki_work_tree_has_the_bytes(demo: tuple[Path, str, float]) -> None:
    for path, file in render_pages(load_facts()).items():
        if file.mode == REGULAR:
            assert (demo[0] / os.fsdecode(path)).read_bytes() == file.content


def test_write_demo_wiki_history_has_deletions_and_renames(
    demo: tuple[Path, str, float],
) -> None:
    changes = git(demo[0], "log", "-M", "--diff-filter=DR", "--name-status", "--format=")
    kinds = [line[:1] for line in changes.splitlines() if line]
    assert kinds.count(b"D") >= 3
    assert kinds.count(b"R") >= 3


def test_write_demo_wiki_foreign_environment_gives_the_same_commit(
    demo: tuple[Path, str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "gitconfig"
    config.write_text("[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\tsymlinks = false\n")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2001-01-01T00:00:00Z")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert write_demo_wiki(tmp_path / "again") == demo[1]


def test_write_demo_wiki_empty_directory_is_used(tmp_path: Path) -> None:
    directory = tmp_path / "empty"
    directory.mkdir()
    write_demo_wiki(directory)
    assert (directory / ".git").is_dir()


def test_write_demo_wiki_occupied_directory_is_refused_untouched(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("moje")
    with pytest.raises(WikiError, match="is not empty"):
        write_demo_wiki(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_write_demo_wiki_file_in_the_way_is_a_permanent_error(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("moje")
    with pytest.raises(PermanentError, match="is not a directory"):
        write_demo_wiki(occupied)
