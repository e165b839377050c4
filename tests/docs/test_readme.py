"""The README stays a README: short, about using the product, and true in the files it names."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
MAX_LINES = 120
OURS = re.compile(r"(?:docs|evaluation|tests|zp_pipeline|zp_serving)/[\w/.]*\w")
MODULE = re.compile(r"-m (evaluation[\w.]+)")


def test_readme_is_short() -> None:
    assert len(README.splitlines()) <= MAX_LINES


def test_readme_leaves_the_inside_to_the_architecture() -> None:
    assert re.findall(r"\bzp_(?:pipeline|serving)\b", README) == []
    assert "docs/ARCHITECTURE.md" in README


def test_readme_each_named_file_exists() -> None:
    named = set(OURS.findall(README))
    named |= {f"{module.replace('.', '/')}.py" for module in MODULE.findall(README)}
    assert len(named) >= 3
    assert [name for name in sorted(named) if not (REPOSITORY / name).exists()] == []
