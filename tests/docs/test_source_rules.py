"""The shape of our modules: documented, short, no drawers."""

import ast
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("zp_pipeline", "zp_serving", "evaluation")
MAX_MODULE_LINES = 350
MAX_FUNCTION_LINES = 60

PRODUCT = sorted(path for name in PACKAGES for path in (REPOSITORY / name).rglob("*.py"))
EVERYTHING = [*PRODUCT, *sorted((REPOSITORY / "tests").rglob("*.py"))]


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Return the syntax tree of every module, by relative path."""
    assert len(PRODUCT) > 50
    return {
        path.relative_to(REPOSITORY).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in EVERYTHING
    }


def functions_of(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return every function and method of a module."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def test_modules_each_has_a_docstring(trees: dict[str, ast.Module]) -> None:
    assert [name for name, tree in trees.items() if not ast.get_docstring(tree)] == []


def test_functions_none_is_long(trees: dict[str, ast.Module]) -> None:
    long = [
        f"{name}:{function.lineno} {function.name}"
        for name, tree in trees.items()
        for function in functions_of(tree)
        if function.end_lineno - function.lineno >= MAX_FUNCTION_LINES
    ]
    assert long == []


def test_modules_of_the_product_none_is_long() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in PRODUCT}
    assert [path for path, count in lines.items() if count > MAX_MODULE_LINES] == []


def test_modules_none_is_a_drawer() -> None:
    drawers = {"utils.py", "util.py", "helpers.py", "misc.py"}
    assert [path for path in EVERYTHING if path.name in drawers] == []
