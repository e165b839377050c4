"""The mirror against real repositories and real git: histories, damage, servers, local folders."""

import http.server
import os
import socket
import subprocess
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from zp_pipeline.shared.errors import (
    BranchMissing,
    CommitUnknown,
    GitUnavailable,
    HistoryRewritten,
    WikiError,
    WrongOrigin,
)
from zp_pipeline.wiki.git import Git, SshAccess
from zp_pipeline.wiki.location import Location
from zp_pipeline.wiki.mirror import Mirror

IDENTITY = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]


@dataclass
class Wiki:
    """A repository that tests write into."""

    folder: Path

    def git(self, *arguments: str) -> str:
        """Run git in the repository."""
        command = ["git", "-C", str(self.folder), *IDENTITY, *arguments]
        done = subprocess.run(command, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def commit(self, **pages: str) -> str:
        """Commit pages by their name; returns the new head."""
        for name, text in pages.items():
            (self.folder / f"{name}.md").write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--allow-empty", "--message", f"úprava {sorted(pages)}")
        return self.git("rev-parse", "HEAD")


def new_wiki(folder: Path) -> Wiki:
    """Return an empty repository with the branch `main`."""
    folder.mkdir()
    wiki = Wiki(folder)
    wiki.git("init", "--initial-branch=main")
    return wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """Return a repository with one commit."""
    wiki = new_wiki(tmp_path / "wiki")
    wiki.commit(first="# Prvá\n")
    return wiki


@pytest.fixture
def mirror(tmp_path: Path, wiki: Wiki) -> Mirror:
    """Return a mirror of it, not fetched yet."""
    return Mirror(tmp_path / "home", str(wiki.folder), None)


def files_below(folder: Path) -> dict[Path, bytes]:
    """Return all files with their contents."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_fetch_new_home_makes_bare_mirror_with_one_ref(mirror: Mirror, wiki: Wiki) -> None:
    head = mirror.fetch()
    assert head == wiki.git("rev-parse", "HEAD") == mirror.head()
    assert mirror.branch == "main"
    assert not (mirror.path / ".git").exists()
    mirror.verify()


def test_remote_head_without_mirror_writes_nothing(mirror: Mirror, wiki: Wiki) -> None:
    assert mirror.remote_head() == wiki.git("rev-parse", "HEAD")
    assert mirror.head() is None
    assert not mirror.path.parent.exists()


def test_remote_head_with_mirror_writes_nothing(mirror: Mirror, wiki: Wiki) -> None:
    mirror.fetch()
    before = files_below(mirror.path)
    new = wiki.commit(second="x")
    assert mirror.remote_head() == new != mirror.head()
    assert files_below(mirror.path) == before


def test_fetch_later_commit_moves_forward(mirror: Mirror, wiki: Wiki) -> None:
    first = mirror.fetch()
    second = wiki.commit(second="x")
    assert mirror.fetch() == second
    assert mirror.resolve(first[:12]) == first


def test_fetch_ignores_tags_and_other_branches(mirror: Mirror, wiki: Wiki) -> None:
    wiki.git("tag", "v1")
    wiki.git("branch", "other")
    mirror.fetch()
    mirror.verify()


@pytest.mark.parametrize("how", ["amended", "ancestor", "unrelated"])
def test_fetch_rewritten_history_is_refused_and_changes_nothing(
    mirror: Mirror, wiki: Wiki, how: str
) -> None:
    wiki.commit(second="x")
    accepted = mirror.fetch()
    rewrite(wiki, how)
    with pytest.raises(HistoryRewritten, match=accepted):
        mirror.fetch()
    assert mirror.head() == accepted
    mirror.verify()


def rewrite(wiki: Wiki, how: str) -> None:
    """Give the branch a head that does not descend from the present one."""
    if how == "amended":
        wiki.git("commit", "--amend", "--message", "inak")
    elif how == "ancestor":
        wiki.git("reset", "--hard", "HEAD~1")
    else:
        wiki.git("checkout", "--orphan", "new")
        wiki.commit(other="y")
        wiki.git("branch", "--force", "main")
        wiki.git("checkout", "main")


@pytest.mark.parametrize("how", ["amended", "ancestor", "unrelated"])
def test_accept_rewritten_head_makes_it_the_accepted_one(
    mirror: Mirror, wiki: Wiki, how: str
) -> None:
    old = wiki.commit(second="x")
    mirror.fetch()
    rewrite(wiki, how)
    head = wiki.git("rev-parse", "HEAD")
    assert mirror.accept(head[:7]) == head == mirror.head() == mirror.fetch()
    assert mirror.resolve(old) == old
    mirror.verify()


def test_accept_other_commit_than_the_head_there_is_refused(mirror: Mirror, wiki: Wiki) -> None:
    first = wiki.git("rev-parse", "HEAD")
    mirror.fetch()
    head = wiki.commit(second="x")
    for wrong in (first, head[:6], "main", "", "zzzzzzz"):
        with pytest.raises(CommitUnknown):
            mirror.accept(wrong)
    assert mirror.head() == first


def test_fetch_branch_missing_is_named(tmp_path: Path, wiki: Wiki) -> None:
    with pytest.raises(BranchMissing, match="nowhere"):
        Mirror(tmp_path / "home", str(wiki.folder), "nowhere").fetch()
    assert not (tmp_path / "home").exists()


def test_fetch_empty_repository_is_branch_missing(tmp_path: Path) -> None:
    empty = new_wiki(tmp_path / "empty")
    with pytest.raises(BranchMissing, match="no commit"):
        Mirror(tmp_path / "home", str(empty.folder), None).fetch()
    with pytest.raises(BranchMissing):
        Mirror(tmp_path / "home", str(empty.folder), "main").fetch()


def test_fetch_detached_head_needs_a_named_branch(tmp_path: Path, wiki: Wiki) -> None:
    wiki.git("checkout", "--detach")
    with pytest.raises(BranchMissing, match="detached"):
        Mirror(tmp_path / "home", str(wiki.folder), None).fetch()
    assert Mirror(tmp_path / "home", str(wiki.folder), "main").fetch()


def test_fetch_shallow_clone_says_so(tmp_path: Path, wiki: Wiki) -> None:
    wiki.commit(second="x")
    shallow = tmp_path / "shallow"
    wiki.git("clone", "--depth=1", f"file://{wiki.folder}", str(shallow))
    with pytest.raises(WikiError, match="shallow"):
        Mirror(tmp_path / "home", str(shallow), None).fetch()


def test_init_folder_without_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WikiError, match="no repository at"):
        Mirror(tmp_path / "home", str(tmp_path / "nothing"), None)
    with pytest.raises(WikiError, match="does not appear to be a git repository"):
        Mirror(tmp_path / "home", str(tmp_path), None).remote_head()


def test_branch_default_is_remembered_when_the_remote_changes_its_own(
    mirror: Mirror, wiki: Wiki
) -> None:
    mirror.fetch()
    wiki.git("checkout", "-b", "pokus")
    assert Mirror(mirror.path.parent, str(wiki.folder), None).branch == "main"


def test_fetch_other_branch_into_same_home_is_wrong_origin(mirror: Mirror, wiki: Wiki) -> None:
    mirror.fetch()
    wiki.git("branch", "other")
    with pytest.raises(WrongOrigin, match="branch main.*branch other"):
        Mirror(mirror.path.parent, str(wiki.folder), "other").fetch()


def test_fetch_other_repository_into_same_home_is_wrong_origin(
    mirror: Mirror, tmp_path: Path
) -> None:
    mirror.fetch()
    other = new_wiki(tmp_path / "other")
    other.git("checkout", "-b", "master")
    other.commit(a="x")
    with pytest.raises(WrongOrigin):
        Mirror(mirror.path.parent, str(other.folder), None).fetch()


def test_fetch_bare_repository_and_file_url_work(tmp_path: Path, wiki: Wiki) -> None:
    bare = tmp_path / "bare.git"
    wiki.git("clone", "--bare", str(wiki.folder), str(bare))
    for number, url in enumerate([str(bare), f"file://{bare}"]):
        assert Mirror(tmp_path / f"home{number}", url, None).fetch()


def test_fetch_after_killed_git_passes_over_its_lock_files(mirror: Mirror, wiki: Wiki) -> None:
    mirror.fetch()
    new = wiki.commit(second="x")
    (mirror.path / "refs/remotes/origin/main.lock").touch()
    (mirror.path / "config.lock").touch()
    assert mirror.fetch() == new


def test_fetch_after_killed_creation_starts_over(mirror: Mirror) -> None:
    leftover = mirror.path.with_name("mirror.git.new") / "objects"
    leftover.mkdir(parents=True)
    assert mirror.fetch() == mirror.head()
    assert not leftover.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_fetch_folder_of_another_user_works(mirror: Mirror, wiki: Wiki) -> None:
    for path in (wiki.folder, wiki.folder / ".git"):
        os.chown(path, 1234, 1234)
    assert mirror.fetch()
    assert not mirror.uncommitted_changes()


def test_fetch_ignores_configuration_of_the_user(
    mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / ".gitconfig"
    configuration.write_text('[url "/nowhere/"]\n\tinsteadOf = /\n[init]\n\tdefaultBranch = x\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert mirror.fetch()


def test_resolve_finds_commits_only(mirror: Mirror, wiki: Wiki) -> None:
    head = mirror.fetch()
    tree = wiki.git("rev-parse", "HEAD^{tree}")
    assert mirror.resolve(head[:12]) == head
    for wrong in (tree, "0" * 12, "main", "HEAD", head[:6], "--all"):
        with pytest.raises(CommitUnknown):
            mirror.resolve(wrong)


def test_commit_tells_time_and_subject(mirror: Mirror) -> None:
    info = mirror.commit(mirror.fetch())
    assert info.sha == mirror.head()
    assert info.subject == "úprava ['first']"
    assert info.committed_at.utcoffset() is not None


def test_entries_and_blobs_of_any_commit_give_its_files(mirror: Mirror, wiki: Wiki) -> None:
    first = mirror.fetch()
    wiki.commit(first="# Zmenená\n", ň="obsah")
    second = mirror.fetch()
    old, new = (
        {entry.path_bytes.decode(): entry for entry in mirror.entries(sha)}
        for sha in (first, second)
    )
    assert set(new) == {"first.md", "ň.md"}
    wanted = [old["first.md"].blob, new["first.md"].blob]
    assert [content.decode() for _, content in mirror.blobs(wanted)] == ["# Prvá\n", "# Zmenená\n"]


def test_entries_tell_kinds_modes_and_sizes(mirror: Mirror, wiki: Wiki) -> None:
    (wiki.folder / "link.md").symlink_to("first.md")
    wiki.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    wiki.git("add", "link.md")
    wiki.git("commit", "--message", "x")
    entries = {entry.path_bytes: entry for entry in mirror.entries(mirror.fetch())}
    assert entries[b"link.md"].mode == "120000"
    assert (entries[b"sub"].kind, entries[b"sub"].size_bytes) == ("commit", 0)
    assert entries[b"first.md"].size_bytes == len("# Prvá\n".encode())


def test_blobs_many_and_large_stream_without_deadlock(mirror: Mirror, wiki: Wiki) -> None:
    wiki.commit(**{f"p{number}": f"{number}\n" * 50_000 for number in range(30)})
    blobs = [entry.blob for entry in mirror.entries(mirror.fetch())] * 20
    read = mirror.blobs(blobs)
    sizes = [len(content) for _, content in read]
    assert len(sizes) == 31 * 20
    assert min(sizes) > 0


def test_blobs_abandoned_early_ends_git(mirror: Mirror) -> None:
    mirror.fetch()
    blobs = [entry.blob for entry in mirror.entries(mirror.fetch())] * 10_000
    read = mirror.blobs(blobs)
    next(read)
    read.close()  # type: ignore[attr-defined]
    mirror.verify()


def test_blobs_missing_object_is_an_error(mirror: Mirror) -> None:
    mirror.fetch()
    with pytest.raises(WikiError, match="1111"):
        list(mirror.blobs(["1" * 40]))


def test_verify_damaged_object_is_an_error(mirror: Mirror) -> None:
    blob = mirror.entries(mirror.fetch())[0].blob
    path = mirror.path / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(b"damaged")
    with pytest.raises(WikiError):
        mirror.verify()
    with pytest.raises(WikiError):
        list(mirror.blobs([blob]))


def test_verify_foreign_ref_is_an_error(mirror: Mirror) -> None:
    head = mirror.fetch()
    subprocess.run(["git", "-C", mirror.path, "update-ref", "refs/heads/x", head], check=True)
    with pytest.raises(WikiError, match="refs/heads/x"):
        mirror.verify()


def test_uncommitted_changes_tells_changed_and_untracked(mirror: Mirror, wiki: Wiki) -> None:
    assert not mirror.uncommitted_changes()
    (wiki.folder / "new.md").write_text("x")
    assert mirror.uncommitted_changes()
    wiki.commit()
    (wiki.folder / "first.md").write_text("x")
    assert mirror.uncommitted_changes()


class Answer(http.server.BaseHTTPRequestHandler):
    """Answers every request with the status that the server has."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_error(self.server.status)  # type: ignore[attr-defined]

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(server: http.server.ThreadingHTTPServer) -> Iterator[str]:
    """Run a server; yields its address."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "expected"),
    [(401, WikiError), (403, WikiError), (404, WikiError), (503, GitUnavailable)],
)
def test_remote_head_http_status_is_classified_without_password(
    tmp_path: Path, status: int, expected: type[Exception]
) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.status = status  # type: ignore[attr-defined]
    with serving(server) as address, pytest.raises(expected) as caught:
        Mirror(tmp_path, f"http://anna:s3cr3t@{address}/wiki.git", "main").remote_head()
    assert "127.0.0.1" in str(caught.value)
    assert "s3cr3t" not in str(caught.value)
    assert "anna" not in str(caught.value)


def test_remote_head_refused_connection_is_transient(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(GitUnavailable):
        Mirror(tmp_path, f"http://127.0.0.1:{port}/wiki.git", "main").remote_head()


def test_run_silent_server_is_transient_after_the_time(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"git://127.0.0.1:{server.getsockname()[1]}/wiki.git"
        git = Git(Location.parse(url), SshAccess())
        with pytest.raises(GitUnavailable, match="no answer"):
            git.run("ls-remote", "--", url, timeout_seconds=0.5)


def test_remote_head_program_as_url_is_not_run(tmp_path: Path) -> None:
    with pytest.raises(WikiError, match="not allowed"):
        Mirror(tmp_path, f"ext::touch {tmp_path}/run", "main").remote_head()
    assert not (tmp_path / "run").exists()


class Protected(http.server.SimpleHTTPRequestHandler):
    """Gives files to who knows the password."""

    def do_GET(self) -> None:
        """Give the file, or ask for the password."""
        if self.headers["Authorization"] == f"Basic {b64encode(b'user:s3cr3t').decode()}":
            super().do_GET()
        else:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="wiki"')
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_fetch_credentials_reach_the_server_and_not_the_mirror(tmp_path: Path, wiki: Wiki) -> None:
    wiki.git("update-server-info")
    handler = partial(Protected, directory=str(wiki.folder / ".git"))
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)) as address:
        mirror = Mirror(tmp_path / "home", f"http://user:s3cr3t@{address}", None)
        assert mirror.fetch() == wiki.git("rev-parse", "HEAD")
    assert all(b"s3cr3t" not in content for content in files_below(mirror.path).values())
    mirror.verify()
