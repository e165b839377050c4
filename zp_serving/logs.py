"""Log lines: JSON on stderr, since stdout belongs to the answers of the command line."""

import logging
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger


def configure_logs() -> None:
    """Send our lines and those of the libraries to stderr, in one format."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        drop_exception,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)


def drop_exception(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    """Leave the type of an exception and drop its text, which may quote a question."""
    error = line.pop("exc_info", None)
    if error:
        kind = error[0] if isinstance(error, tuple) else type(error)
        line["error"] = getattr(kind, "__name__", str(kind))
    return line
