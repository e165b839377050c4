"""The `zp` command as a user types it, in a folder of its own, on a real wiki."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.git_wiki import GitWiki
from tests.support.homes import PAGES, new_home

TRANSLATION = "pages/topics/preklad/README.md"


class Shell:
    """Runs `zp` with one home and one wiki."""

    def __init__(self, directory: Path, wiki: GitWiki) -> None:
        self.home = new_home(directory)
        self.directory = directory
        self._environment = {
            **os.environ,
            "ZP_HOME": str(self.home),
            "ZP_WIKI_URL": str(wiki.directory),
        }

    def run(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["zp", *arguments],
            cwd=self.directory,
            env=self._environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
        return done

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", code=code).stdout)


@pytest.fixture
def shell(tmp_path: Path, wiki: GitWiki) -> Shell:
    return Shell(tmp_path, wiki)


def test_rebuild_search_and_status_tell_the_same_generation(shell: Shell, wiki: GitWiki) -> None:
    built = shell.json("rebuild")
    assert built["published"]
    assert built["commit"] == wiki.head()
    assert built["documents"] == len(PAGES)
    found = shell.json("search", "strojovy preklad slovenciny")
    assert found["index_version"] == built["generation"]
    assert found["results"][0]["document_path"] == TRANSLATION
    assert shell.json("status")["generation"]["id"] == built["generation"]


def test_search_rights_follow_groups_and_flags(shell: Shell) -> None:
    shell.json("rebuild")
    secret, draft = ("heslo k skrini mrkvovník", "nehotová osnova predmetu")
    assert "pages/interne/porada.md" not in paths(shell.json("search", secret))
    assert (
        paths(shell.json("search", secret, "--group", "ucitelia"))[0] == "pages/interne/porada.md"
    )
    assert "pages/interne/koncept.md" not in paths(shell.json("search", draft))
    assert (
        paths(shell.json("search", draft, "--include-unpublished"))[0] == "pages/interne/koncept.md"
    )


def paths(body: dict[str, Any]) -> list[str]:
    return [result["document_path"] for result in body["results"]]


def test_generations_roll_back_hold_resume_and_collect(shell: Shell, wiki: GitWiki) -> None:
    first = shell.json("rebuild")["generation"]
    wiki.push({"pages/nova.md": "# Nová\n\nDruhá generácia.\n"})
    second = shell.json("rebuild", "--pull")["generation"]
    assert [row["id"] for row in shell.json("generations", "list")] == [second, first]
    shell.run("generations", "activate", first)
    assert active(shell) == first
    held = shell.json("rebuild", "--pull", code=1)
    assert (held["published"], held["reason"]) == (False, "held")
    shell.run("generations", "resume")
    assert shell.json("rebuild", "--pull")["published"]
    assert active(shell) == second
    assert shell.json("generations", "gc")["generations"] == []
    assert shell.json("generations", "show", first)["id"] == first


def active(shell: Shell) -> str:
    (row,) = [row for row in shell.json("generations", "list") if row["active"]]
    return str(row["id"])


def test_activate_page_locked_since_is_refused(shell: Shell, wiki: GitWiki) -> None:
    first = shell.json("rebuild")["generation"]
    wiki.push({TRANSLATION: "---\nallowed_groups: [ucitelia]\n---\n# Strojový preklad\n"})
    shell.json("rebuild", "--pull")
    refused = shell.run("generations", "activate", first, code=1)
    assert "activation_refused" in refused.stderr
    assert TRANSLATION in refused.stderr


def test_wiki_accept_rewritten_history_is_published(shell: Shell, wiki: GitWiki) -> None:
    shell.json("rebuild")
    wiki.git("commit", "--quiet", "--amend", "-m", "prepísané")
    refused = shell.json("rebuild", "--pull", code=1)
    assert refused["reason"] == "history_rewritten"
    shell.run("wiki", "accept", wiki.head()[:12])
    assert shell.json("rebuild", "--pull")["commit"] == wiki.head()


def test_rebuild_uncommitted_changes_uses_head_with_a_warning(shell: Shell, wiki: GitWiki) -> None:
    wiki.write({"pages/nova.md": "# Neuložená\n"})
    done = shell.run("rebuild", "--json")
    assert "uncommitted" in done.stderr
    assert json.loads(done.stdout)["documents"] == len(PAGES)


def test_rebuild_without_a_wiki_is_a_clear_error(shell: Shell, tmp_path: Path) -> None:
    body = shell.json("rebuild", "--wiki", str(tmp_path / "nowhere"), code=1)
    assert (body["published"], body["reason"]) == (False, "wiki_unusable")


def test_rebuild_without_model_assets_is_a_clear_error(shell: Shell) -> None:
    (shell.home / "assets").unlink()
    body = shell.json("rebuild", code=1)
    assert body["reason"] == "model_assets"
    assert "zp assets prepare" in body["detail"]


def test_usage_error_exits_2(shell: Shell) -> None:
    shell.run("rebuild", "--nonsense", code=2)
