"""From pushes to generations, on a real repository, a real index and the real model."""

from collections.abc import Callable

import pytest

from tests.support.git_wiki import GitWiki
from tests.support.homes import PAGES, files_of
from tests.support.questions import found_paths
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.orchestration.rebuild import rebuild
from zp_pipeline.shared.generation.artifacts import verify_files

OpenHome = Callable[[], Workspace]
TRANSLATION = "pages/topics/preklad/README.md"
HOLP = "pages/students/2016/jan_holp/README.md"


def test_rebuild_first_commit_is_published_and_searchable(
    open_home: OpenHome, wiki: GitWiki
) -> None:
    rebuilt = rebuild(open_home(), pull=False)
    assert rebuilt.published, rebuilt.body
    assert rebuilt.body["commit"] == wiki.head()
    assert rebuilt.body["documents"] == len(PAGES)
    assert rebuilt.body["embedding_computed"] == rebuilt.body["embedding_segments"] > 0
    assert found_paths(open_home(), "strojový preklad slovenčiny")[0] == TRANSLATION


def test_rebuild_no_op_commit_computes_nothing_and_keeps_the_root(
    open_home: OpenHome, wiki: GitWiki
) -> None:
    first = rebuild(open_home(), pull=True).body
    wiki.commit("prázdny commit")
    second = rebuild(open_home(), pull=True).body
    assert second["embedding_computed"] == 0
    assert second["generation"] != first["generation"]
    assert second["generation"].split(".")[1] == first["generation"].split(".")[1]


def test_rebuild_changed_page_embeds_only_that_page(open_home: OpenHome, wiki: GitWiki) -> None:
    rebuild(open_home(), pull=True)
    wiki.push({TRANSLATION: "# Strojový preklad\n\nDnes prekladáme nástrojom Marian.\n"})
    body = rebuild(open_home(), pull=True).body
    assert body["embedding_computed"] == 1
    assert found_paths(open_home(), "Marian")[0] == TRANSLATION


def test_rebuild_deleted_page_gives_no_hit_by_text_or_vector(
    open_home: OpenHome, wiki: GitWiki
) -> None:
    rebuild(open_home(), pull=True)
    wiki.remove(TRANSLATION)
    wiki.commit("zmazanie")
    body = rebuild(open_home(), pull=True).body
    assert body["documents"] == len(PAGES) - 1
    assert body["embedding_computed"] == 0
    for arm in ("all_terms", "prefix_terms", "any_term", "vector"):
        assert TRANSLATION not in found_paths(
            open_home(), "strojový preklad slovenčiny Fairseq", arm
        )


def test_rebuild_renamed_page_moves_without_embedding(open_home: OpenHome, wiki: GitWiki) -> None:
    rebuild(open_home(), pull=True)
    wiki.git("mv", TRANSLATION, "pages/topics/mt.md")
    wiki.commit("premenovanie")
    body = rebuild(open_home(), pull=True).body
    assert body["embedding_computed"] == 0
    paths = found_paths(open_home(), "strojový preklad slovenčiny")
    assert paths[0] == "pages/topics/mt.md"
    assert TRANSLATION not in paths


def test_rebuild_reverted_commit_publishes_the_earlier_content(
    open_home: OpenHome, wiki: GitWiki
) -> None:
    first = rebuild(open_home(), pull=True).body
    wiki.push({TRANSLATION: "# Niečo iné\n\nÚplne iný text o varení.\n"})
    rebuild(open_home(), pull=True)
    wiki.git("revert", "--no-edit", "HEAD")
    body = rebuild(open_home(), pull=True).body
    assert body["published"]
    assert body["embedding_computed"] == 0
    assert body["generation"].split(".")[1] == first["generation"].split(".")[1]
    assert body["commit"] == wiki.head()


def force_push(wiki: GitWiki) -> None:
    wiki.git("commit", "--quiet", "--amend", "--allow-empty", "-m", "prepísané")


def reset_to_parent(wiki: GitWiki) -> None:
    wiki.git("reset", "--quiet", "--hard", "HEAD~1")


def unrelated_history(wiki: GitWiki) -> None:
    wiki.git("checkout", "--quiet", "--orphan", "ina")
    wiki.commit("odznova")
    wiki.git("branch", "--quiet", "-M", "ina", "master")


@pytest.mark.parametrize("rewrite", [force_push, reset_to_parent, unrelated_history])
def test_rebuild_rewritten_history_is_refused_until_accepted(
    open_home: OpenHome, wiki: GitWiki, rewrite: Callable[[GitWiki], None]
) -> None:
    wiki.push({"pages/druha.md": "# Druhá\n\nDruhá stránka.\n"})
    rebuild(open_home(), pull=True)
    served = files_of(open_home().store.root / "generations")
    rewrite(wiki)
    refused = rebuild(open_home(), pull=True)
    assert (refused.published, refused.body["reason"]) == (False, "history_rewritten")
    assert files_of(open_home().store.root / "generations") == served
    open_home().mirror.accept(wiki.head())
    accepted = rebuild(open_home(), pull=True)
    assert (accepted.published, accepted.body["commit"]) == (True, wiki.head())


def test_rebuild_shrunken_wiki_is_refused_until_accepted(
    open_home: OpenHome, wiki: GitWiki
) -> None:
    rebuild(open_home(), pull=True)
    for path in list(PAGES)[:3]:
        wiki.remove(path)
    head = wiki.commit("veľké mazanie")
    refused = rebuild(open_home(), pull=True)
    assert refused.body["reason"] == "gate_refused"
    assert "wiki_has_not_shrunk" in refused.body["detail"]
    assert rebuild(open_home(), pull=True, accept_shrink=head).published


def test_rebuild_damaged_index_is_made_again_for_every_generation_that_names_it(
    open_home: OpenHome, wiki: GitWiki
) -> None:
    rebuild(open_home(), pull=True)
    wiki.commit("prázdny commit")
    rebuild(open_home(), pull=True)
    store = open_home().store
    file = next(store.artifacts.root.glob("search_index/*/lance/chunks.lance/data/*"))
    file.write_bytes(file.read_bytes()[:-1])
    assert rebuild(open_home(), pull=True).published
    manifests = store.manifests()
    assert len(manifests) == 2
    for record in [record for manifest in manifests for record in manifest.artifacts.values()]:
        verify_files(store.artifacts.directory(record.kind, record.digest), record)
    assert found_paths(open_home(), "strojový preklad")[0] == TRANSLATION


def test_rebuild_empty_wiki_is_published_and_finds_nothing(
    open_home: OpenHome, wiki: GitWiki
) -> None:
    wiki.remove("pages")
    wiki.commit("prázdna wiki")
    rebuilt = rebuild(open_home(), pull=True)
    assert (rebuilt.published, rebuilt.body["documents"], rebuilt.body["chunks"]) == (True, 0, 0)
    assert found_paths(open_home(), "strojový preklad") == []
