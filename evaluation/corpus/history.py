"""The states of the wiki, commit by commit. Writing them with git: `repository.py`.

Each state is rendered from the facts known at its time, so that pages grow as real ones do;
renames and removals come from `facts.history`. The last state is the wiki as it is now.
"""

from collections.abc import Iterator
from pathlib import Path

from evaluation.corpus.broken_pages import BROKEN_FILES
from evaluation.corpus.fact_records import Commit, Facts
from evaluation.corpus.facts import facts_until
from evaluation.corpus.rendering import render_fact_pages
from evaluation.corpus.wiki_file import WikiFile

Tree = dict[bytes, WikiFile]

REMOVED_PAGES = Path(__file__).with_name("removed")
BROKEN_SINCE = 5


def wiki_states(facts: Facts) -> Iterator[tuple[Commit, Tree]]:
    """Each commit of the history, oldest first, with all files of the wiki after it."""
    for number, commit in enumerate(facts.history.commits, start=1):
        yield commit, _state(facts, number, commit)


def _state(facts: Facts, number: int, commit: Commit) -> Tree:
    until = commit.works_until
    tree = render_fact_pages(facts if until is None else facts_until(facts, until))
    for page in facts.history.removed:
        if page.first <= number <= page.last:
            tree[page.path.encode()] = WikiFile((REMOVED_PAGES / page.path).read_bytes())
    for move in facts.history.renamed:
        if number <= move.until and move.path.encode() in tree:
            tree[move.earlier.encode()] = tree.pop(move.path.encode())
    return tree | (BROKEN_FILES if number >= BROKEN_SINCE else {})
