"""The logs of the supervised processes: a file each, and READY for whoever started them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from honcho.printer import Message

from zp_pipeline.readiness import READY, READY_PROCESS
from zp_pipeline.supervision import LogPrinter

READY_LINE = f"{READY} api=http://127.0.0.1:8000 dagster=http://127.0.0.1:3000\n"


def line(name: str, data: bytes | str) -> Message:
    return Message(type="line", data=data, time=None, name=name, colour=None)


@pytest.fixture
def printer(tmp_path: Path) -> Iterator[LogPrinter]:
    printer = LogPrinter(tmp_path / "logs")
    yield printer
    printer.close()


def log_of(directory: Path, name: str) -> str:
    return (directory / "logs" / f"{name}.log").read_text(encoding="utf-8")


def test_write_each_process_has_a_file_of_its_own(printer: LogPrinter, tmp_path: Path) -> None:
    printer.write(line("api", b"one\n"))
    printer.write(line("dagster", b"two\n"))
    printer.write(line("api", b"three\n"))
    assert log_of(tmp_path, "api") == "one\nthree\n"
    assert log_of(tmp_path, "dagster") == "two\n"


def test_write_other_process_prints_nothing(
    printer: LogPrinter, capsys: pytest.CaptureFixture[str]
) -> None:
    printer.write(line("api", READY_LINE.encode()))
    assert capsys.readouterr() == ("", "")


def test_write_ready_line_goes_to_stdout(
    printer: LogPrinter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printer.write(line(READY_PROCESS, READY_LINE.encode()))
    assert capsys.readouterr() == (READY_LINE, "")
    assert log_of(tmp_path, READY_PROCESS) == READY_LINE


def test_write_what_ready_says_otherwise_goes_to_stderr(
    printer: LogPrinter, capsys: pytest.CaptureFixture[str]
) -> None:
    printer.write(line(READY_PROCESS, b"zp: the head is not published\n"))
    assert capsys.readouterr() == ("", "zp: the head is not published\n")


def test_write_text_and_bytes_that_are_no_utf8_are_kept(
    printer: LogPrinter, tmp_path: Path
) -> None:
    printer.write(line("system", "api started\n"))
    printer.write(line("system", b"\xff end\n"))
    assert log_of(tmp_path, "system") == "api started\n\ufffd end\n"


def test_write_log_of_an_earlier_start_is_continued(printer: LogPrinter, tmp_path: Path) -> None:
    (tmp_path / "logs" / "api.log").write_text("before\n", encoding="utf-8")
    printer.write(line("api", b"after\n"))
    assert log_of(tmp_path, "api") == "before\nafter\n"
