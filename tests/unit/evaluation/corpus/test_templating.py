"""Variants are chosen by the fact alone, and all of them are used."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaluation.corpus.templating import TEMPLATES, choose, pick, tidy


@given(slot=st.text(), key=st.text(), count=st.integers(min_value=1, max_value=50))
def test_choose_any_key_is_stable_and_in_range(slot: str, key: str, count: int) -> None:
    chosen = choose(slot, key, count)
    assert 0 <= chosen < count
    assert choose(slot, key, count) == chosen


def test_pick_many_facts_uses_every_variant() -> None:
    variants = [path.name for path in (TEMPLATES / "title").glob("*.md.j2")]
    picked = Counter(pick("title", f"student{number}") for number in range(200))
    assert set(picked) == {f"title/{name}" for name in variants}


def test_tidy_runs_of_blank_lines_become_one() -> None:
    assert tidy("\n# A\n\n\n\nb\n\n") == b"# A\n\nb\n"
