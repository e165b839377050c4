"""Parts that integration tests share: one loaded model, and a published home to start from."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.assets import model_assets
from tests.support.git_wiki import GitWiki
from tests.support.homes import PAGES, new_home, workspace_for
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.embedding.passages import PassageEncoder
from zp_pipeline.shared.embedding.query_encoder import QueryEncoder


@pytest.fixture(scope="session")
def encoders() -> tuple[PassageEncoder, QueryEncoder]:
    """Both encoders, loaded once: the model takes longer to load than the tests to run."""
    return PassageEncoder(model_assets(), 8), QueryEncoder(model_assets())


@pytest.fixture
def wiki(tmp_path: Path) -> GitWiki:
    """A wiki with a few pages, one of them for teachers and one unpublished."""
    wiki = GitWiki(tmp_path / "wiki")
    wiki.push(PAGES, "prvé stránky")
    return wiki


@pytest.fixture
def open_home(
    tmp_path: Path, wiki: GitWiki, encoders: tuple[PassageEncoder, QueryEncoder]
) -> Callable[[], Workspace]:
    """Give workspaces on one home, as separate processes would, with the model loaded already."""
    home = new_home(tmp_path)

    def open_workspace() -> Workspace:
        workspace = workspace_for(home, wiki.directory)
        workspace.passage_encoder, workspace.query_encoder = encoders
        return workspace

    return open_workspace
