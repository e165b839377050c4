"""A client of the whole application, with fakes behind it and no network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tests.unit.serving.serving_fakes import (
    FakeClock,
    FakeEncoder,
    FakeIndex,
    FakeIndexes,
    make_settings,
    publish_new,
)
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.app import create_app


@contextmanager
def serving_client(
    home: Path, index: FakeIndex | None = None, **changes: Any
) -> Iterator[TestClient]:
    """Serve a generation with `index`, or with none where it is None; settings may be changed."""
    if index is not None:
        publish_new(GenerationStore(home / "store"), "one")
    app = create_app(
        make_settings(home, **changes),
        encoder=FakeEncoder(),
        open_index=FakeIndexes(lambda: index or FakeIndex()),
        clock=FakeClock(),
    )
    app.state.service.active.refresh()
    # Not entered as a context: the watch over the pointer has tests of its own.
    yield TestClient(app, raise_server_exceptions=False)
    app.state.service.active.close()
