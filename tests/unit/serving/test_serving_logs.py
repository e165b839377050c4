"""Log lines are JSON on stderr and never hold the text of an exception."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from zp_serving.logs import configure_logs, drop_exception


@pytest.fixture(autouse=True)
def restore_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_configure_logs_lines_go_to_stderr_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs()
    structlog.get_logger().info("generation_served", generation="abc")
    captured = capsys.readouterr()
    line = json.loads(captured.err)
    assert captured.out == ""
    assert (line["event"], line["generation"], line["level"]) == (
        "generation_served",
        "abc",
        "info",
    )


def test_configure_logs_exception_of_library_loses_its_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs()
    try:
        raise ValueError("tajná otázka")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("failed")
    line = json.loads(capsys.readouterr().err)
    assert line["error"] == "ValueError"
    assert "tajná" not in str(line)


def test_drop_exception_line_without_one_unchanged() -> None:
    assert drop_exception(None, "info", {"event": "x"}) == {"event": "x"}
