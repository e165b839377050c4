"""The states of the wiki over time: it grows, and pages are really renamed and removed."""

from evaluation.corpus.facts import load_facts
from evaluation.corpus.history import wiki_states
from evaluation.corpus.rendering import render_pages

FACTS = load_facts()
STATES = [tree for _, tree in wiki_states(FACTS)]


def test_wiki_states_last_is_the_whole_present_wiki() -> None:
    assert len(STATES) >= 5
    assert STATES[-1] == render_pages(FACTS)


def test_wiki_states_each_differs_from_the_one_before() -> None:
    assert all(before != after for before, after in zip(STATES, STATES[1:], strict=False))


def test_wiki_states_removed_pages_say_their_statement_while_they_exist() -> None:
    for page in FACTS.history.removed:
        path = page.path.encode()
        numbers = [number for number, tree in enumerate(STATES, start=1) if path in tree]
        assert numbers == list(range(page.first, page.last + 1))
        assert page.statement.encode() in STATES[page.first - 1][path].content


def test_wiki_states_removed_statements_are_nowhere_in_the_present_wiki() -> None:
    present = b"\n".join(file.content for file in STATES[-1].values())
    assert not [p for p in FACTS.history.removed if p.statement.encode() in present]


def test_wiki_states_renamed_pages_never_have_both_paths() -> None:
    for move in FACTS.history.renamed:
        earlier, now = move.earlier.encode(), move.path.encode()
        assert earlier in STATES[move.until - 1]
        assert now in STATES[move.until]
        assert not [tree for tree in STATES if earlier in tree and now in tree]


def test_wiki_states_some_renames_keep_the_bytes() -> None:
    kept = [
        move
        for move in FACTS.history.renamed
        if STATES[move.until - 1][move.earlier.encode()] == STATES[move.until][move.path.encode()]
    ]
    assert len(kept) >= 3


def test_wiki_states_student_pages_grow_with_their_works() -> None:
    path = b"pages/students/2016/michal_kral/README.md"
    sizes = [len(tree[path].content) for tree in STATES if path in tree]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
