"""Which of git's messages may go away by themselves, and how ssh is called."""

import shlex
from pathlib import Path

import pytest

from zp_pipeline.shared.errors import GitUnavailable, WikiError
from zp_pipeline.wiki.git import Git, GitFailed, SshAccess
from zp_pipeline.wiki.location import Location

TRANSIENT = [
    "fatal: unable to access 'https://h/w/': Could not resolve host: h",
    "ssh: connect to host h port 22: Connection timed out; fatal: Could not read from remote",
    "ssh: Could not resolve hostname h: Temporary failure in name resolution",
    "fatal: early EOF; fatal: fetch-pack: invalid index-pack output",
    "error: RPC failed; curl 56 GnuTLS recv error; fatal: the remote end hung up unexpectedly",
    "fatal: unable to access 'https://h/w/': The requested URL returned error: 502",
    "kex_exchange_identification: Connection closed by remote host",
]
PERMANENT = [
    "git@h: Permission denied (publickey).; fatal: the remote end hung up unexpectedly",
    "Host key verification failed.; fatal: Could not read from remote repository.",
    "fatal: Authentication failed for 'https://h/w/'",
    "fatal: could not read Username for 'https://h': terminal prompts disabled",
    "remote: Repository not found.; fatal: repository 'https://h/w/' not found",
    "fatal: '/w' does not appear to be a git repository",
    "fatal: unable to access 'https://h/w/': The requested URL returned error: 403",
    "fatal: write error: No space left on device",
    "",
]


@pytest.mark.parametrize("message", TRANSIENT)
def test_as_ours_line_trouble_is_transient(message: str) -> None:
    assert isinstance(GitFailed(128, message).as_ours("https://h/w"), GitUnavailable)


@pytest.mark.parametrize("message", PERMANENT)
def test_as_ours_refusal_is_permanent(message: str) -> None:
    error = GitFailed(128, message).as_ours("https://h/w")
    assert isinstance(error, WikiError)
    assert (message or "exit code 128") in str(error)


def test_command_names_key_and_hosts_literally(tmp_path: Path) -> None:
    access = SshAccess(key=tmp_path / "my %h key", known_hosts=tmp_path / "known hosts")
    words = shlex.split(access.command())
    assert words[words.index("-i") + 1] == f"{tmp_path}/my %%h key"
    assert f'UserKnownHostsFile="{tmp_path}/known hosts"' in words
    assert {"BatchMode=yes", "StrictHostKeyChecking=yes"} <= set(words)


def test_environment_is_nobodys_and_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_SSH_COMMAND", "other")
    environment = Git(Location.parse("https://a:b@h/w"), SshAccess()).environment()
    assert "GIT_DIR" not in environment
    assert environment["GIT_TERMINAL_PROMPT"] == "0"
    assert environment["GIT_SSH_COMMAND"].startswith("ssh ")
    assert environment["GIT_CONFIG_KEY_0"] == "url.https://a:b@h/w.insteadOf"
    assert environment["GIT_CONFIG_VALUE_0"] == "https://h/w"
