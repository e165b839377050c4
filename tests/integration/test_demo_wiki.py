"""The demo wiki, whole: built, judged and published, with everything broken in it named."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evaluation.corpus.facts import load_facts
from evaluation.corpus.repository import write_demo_wiki
from tests.support.homes import new_home, workspace_for
from tests.support.questions import found_paths
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.embedding.passages import PassageEncoder
from zp_pipeline.orchestration.rebuild import rebuild
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder

ENOUGH_DOCUMENTS = 150
BROKEN = {
    *("binary", "lfs_pointer", "too_large", "symlink", "submodule", "path_not_utf8"),
    *("bom", "crlf", "not_nfc", "empty_page", "front_matter_missing", "front_matter_broken"),
    *("front_matter_tabs", "allowed_groups_unreadable", "validity_unreadable", "duplicate_key"),
}


@pytest.fixture(scope="module")
def open_demo(
    tmp_path_factory: pytest.TempPathFactory, encoders: tuple[PassageEncoder, QueryEncoder]
) -> Callable[[], Workspace]:
    """Give workspaces on a home in which the demo wiki is published."""
    directory = tmp_path_factory.mktemp("demo")
    write_demo_wiki(directory / "wiki")
    home = new_home(directory)

    def open_workspace() -> Workspace:
        workspace = workspace_for(home, directory / "wiki")
        workspace.passage_encoder, workspace.query_encoder = encoders
        return workspace

    rebuilt = rebuild(open_workspace(), pull=True)
    assert rebuilt.published, rebuilt.body
    assert rebuilt.body["documents"] >= ENOUGH_DOCUMENTS
    return open_workspace


def warning_codes(workspace: Workspace) -> set[str]:
    artifacts: Path = workspace.store.artifacts.root
    tables = [pq.read_table(path) for path in artifacts.glob("*/*/warnings.parquet")]
    return {code for table in tables for code in table["code"].to_pylist()}


def test_every_kind_of_broken_input_is_warned_of(open_demo: Callable[[], Workspace]) -> None:
    assert warning_codes(open_demo()) >= BROKEN


def test_open_topics_are_found_by_their_titles(open_demo: Callable[[], Workspace]) -> None:
    workspace = open_demo()
    topics = [topic for topic in load_facts().topics if topic.access.groups is None]
    for topic in topics[:10]:
        assert topic.path in found_paths(workspace, topic.title)[:5]


def test_statements_of_pages_for_teachers_are_found_by_teachers_alone(
    open_demo: Callable[[], Workspace],
) -> None:
    workspace = open_demo()
    pages = [page for page in load_facts().pages if page.access.groups == ("ucitelia",)]
    assert pages
    for page in pages:
        question, teachers = page.statements[0], frozenset({"ucitelia"})
        assert page.path not in found_paths(workspace, question)
        assert page.path in found_paths(workspace, question, groups=teachers)[:3]
