"""Runs git, apart from the user's configuration and without prompts, and names its failures.

Belongs here: the process, its environment, its time limit and the classification of its messages.
What is asked of git belongs to `mirror`.
"""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from zp_pipeline.shared.errors import GitUnavailable, WikiError
from zp_pipeline.wiki.location import Location, without_credentials

CONFIGURATION = Path(__file__).with_name("gitconfig")
PROTOCOLS = "file:git:http:https:ssh"

# In the words of git, curl and ssh with LC_ALL=C. What is permanent comes first: ssh adds "the
# remote end hung up" to a refused key as well.
PERMANENT = re.compile(
    r"permission denied|host key verification failed|remote host identification has changed"
    r"|authentication failed|could not read (username|password)|terminal prompts disabled"
    r"|repository .*not found|does not (appear to be a git repository|exist)|not a git repository"
    r"|error: 40[0134]|no space left|is not allowed|transport .* not allowed",
    re.IGNORECASE,
)
TRANSIENT = re.compile(
    r"could not resolve|name resolution|timed out|connection (refused|reset|closed)"
    r"|failed to connect|couldn't connect|unreachable|no route to host|early eof"
    r"|unexpected disconnect"
    r"|hung up unexpectedly|rpc failed|error: (429|5[0-9]{2})|kex_exchange|handshake|ssl_"
    r"|expected flush|empty reply|operation too slow",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SshAccess:
    """Files of a read-only deploy key; None leaves ssh its own default, agent included."""

    key: Path | None = None
    known_hosts: Path | None = None

    def command(self) -> str:
        """Return what git runs instead of `ssh`: strict, and never asking."""
        options = ["BatchMode=yes", "StrictHostKeyChecking=yes", "ConnectTimeout=15"]
        if self.known_hosts:
            options.append(f'UserKnownHostsFile="{_literal(self.known_hosts)}"')
        words = ["ssh", *(word for option in options for word in ("-o", option))]
        if self.key:
            words += ["-o", "IdentitiesOnly=yes", "-i", _literal(self.key)]
        return shlex.join(words)


def _literal(path: Path) -> str:
    """Return `path` so that ssh expands nothing in it."""
    return str(path.expanduser().resolve()).replace("%", "%%")


class GitFailed(Exception):
    """Git ended with an error; `message` is what it said, without credentials."""

    def __init__(self, code: int, message: str) -> None:
        """Keep exit code and message."""
        super().__init__(message)
        self.code = code
        self.message = message

    def as_ours(self, url: str) -> WikiError | GitUnavailable:
        """Return the error of ours that this is, for a repository at `url`."""
        transient = TRANSIENT.search(self.message) and not PERMANENT.search(self.message)
        kind = GitUnavailable if transient else WikiError
        return kind(f"git on {url}: {self.message or f'exit code {self.code}'}")


@dataclass(frozen=True, slots=True)
class Git:
    """Git for one remote repository; `directory` is where it runs, `/` outside of any."""

    location: Location
    ssh: SshAccess
    directory: Path = Path("/")

    def run(self, *arguments: str, timeout_seconds: float) -> bytes:
        """Return what git prints. Raises `GitFailed`, `GitUnavailable` when the time is over."""
        with TemporaryFile() as errors, self._process(arguments, errors) as process:
            try:
                output, _ = process.communicate(timeout=timeout_seconds)
            except subprocess.TimeoutExpired:
                late = (
                    f"git {arguments[0]} on {self.location.url}: no answer in {timeout_seconds:g} s"
                )
                raise GitUnavailable(late) from None
            if process.returncode:
                raise GitFailed(process.returncode, _message(errors))
            return output

    @contextmanager
    def stream(self, *arguments: str, requests: bytes) -> Iterator[IO[bytes]]:
        """Give git `requests` and yield its output as it comes.

        The requests lie in a file: with a pipe, both sides could wait for each other.
        """
        with TemporaryFile() as source, TemporaryFile() as errors:
            source.write(requests)
            source.seek(0)
            with self._process(arguments, errors, source) as process:
                assert process.stdout is not None
                yield process.stdout

    @contextmanager
    def _process(
        self, arguments: tuple[str, ...], errors: IO[bytes], source: IO[bytes] | None = None
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run git in a process group of its own, and end the group, ssh included, in any case."""
        process = subprocess.Popen(
            ["git", *arguments],
            cwd=self.directory,
            env=self.environment(),
            stdin=source or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            process_group=0,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            if process.stdout:
                process.stdout.close()

    def environment(self) -> dict[str, str]:
        """Return git's environment: nobody's configuration, no prompts, messages in English.

        Credentials of a URL go this way: neither the mirror nor the list of processes shows them.
        """
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        ours = {
            "LC_ALL": "C",
            "GIT_CONFIG_GLOBAL": str(CONFIGURATION),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "false",
            "GIT_ALLOW_PROTOCOL": PROTOCOLS,
            "GIT_SSH_COMMAND": self.ssh.command(),
            "GIT_SSH_VARIANT": "ssh",
            "GIT_OPTIONAL_LOCKS": "0",
        }
        if self.location.secret_url != self.location.url:
            ours["GIT_CONFIG_COUNT"] = "1"
            ours["GIT_CONFIG_KEY_0"] = f"url.{self.location.secret_url}.insteadOf"
            ours["GIT_CONFIG_VALUE_0"] = self.location.url
        return kept | ours


def _message(errors: IO[bytes]) -> str:
    """Return the lines of standard error that say something, on one line."""
    errors.seek(0)
    text = without_credentials(errors.read(64 * 1024).decode(errors="replace"))
    lines = (line.strip() for line in text.splitlines())
    return "; ".join(line for line in lines if line and not line.startswith(("hint:", "From ")))
