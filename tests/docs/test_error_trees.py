"""The trees of exceptions that the docstrings draw are the trees that the classes make."""

import re
import textwrap
from types import ModuleType

import pytest

import zp_pipeline.shared.errors
import zp_serving.errors
from zp_pipeline.shared.errors import ZpError

NODE = re.compile(r"([│├└─ ]*)([A-Z]\w+)")
INDENT = 4


def drawn_edges(module: ModuleType) -> set[tuple[str, str]]:
    """Return (class, base) of the tree in a module's docstring, which starts at `ZpError`."""
    tree = re.search(r"^ *ZpError\b.*?(?=\n\n|\Z)", module.__doc__ or "", re.MULTILINE | re.DOTALL)
    assert tree is not None
    above: list[str] = []
    edges = set()
    for line in textwrap.dedent(tree[0]).splitlines():
        if node := NODE.match(line):
            depth = len(node[1]) // INDENT
            above[depth:] = [node[2]]
            edges |= {(node[2], above[depth - 1])} if depth else set()
    return edges


def class_edges(module: ModuleType) -> set[tuple[str, str]]:
    """Return (class, base) of every error that a module defines."""
    return {
        (error.__name__, error.__bases__[0].__name__)
        for error in vars(module).values()
        if isinstance(error, type)
        and issubclass(error, ZpError)
        and error is not ZpError
        and error.__module__ == module.__name__
    }


@pytest.mark.parametrize("module", [zp_pipeline.shared.errors, zp_serving.errors])
def test_error_tree_drawn_is_the_one_defined(module: ModuleType) -> None:
    assert len(class_edges(module)) >= 5
    assert drawn_edges(module) == class_edges(module)


def test_reasons_no_two_errors_share_one() -> None:
    errors = [e for e in vars(zp_pipeline.shared.errors).values() if isinstance(e, type)]
    own = [error.reason for error in errors if "reason" in vars(error)]
    assert len(own) == len(set(own))
