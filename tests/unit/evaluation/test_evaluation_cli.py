"""The commands of `evaluation`, run as `zp` runs them."""

import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from evaluation.cli import app
from zp_pipeline.shared.errors import WikiError


def test_wiki_demo_new_directory_prints_the_head_commit(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["wiki", "demo", str(tmp_path / "wiki")])
    head = (tmp_path / "wiki" / ".git" / "refs" / "heads" / "master").read_text()
    assert result.exit_code == 0
    assert result.output == head


def test_wiki_demo_occupied_directory_fails(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("moje")
    result = CliRunner().invoke(app, ["wiki", "demo", str(tmp_path)])
    assert result.exit_code == 1
    assert isinstance(result.exception, WikiError)


def test_cli_import_leaves_heavy_modules_out() -> None:
    code = "import sys, evaluation.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert not {"jinja2", "ruamel.yaml", "dagster", "torch"} & set(loaded)
