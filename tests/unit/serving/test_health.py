"""What `/health` says in each state of the service."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.unit.serving.serving_fakes import (
    NOW,
    FakeClock,
    FakeEncoder,
    FakeIndexes,
    index_file,
    publish,
    publish_new,
    write_generation,
)
from zp_pipeline.shared.generation.store import GenerationStore
from zp_serving.active_generation import ActiveGeneration
from zp_serving.health import Tools, ToolState, health_of
from zp_serving.served_generation import GenerationOpener


@pytest.fixture
def store(tmp_path: Path) -> GenerationStore:
    return GenerationStore(tmp_path / "store")


@pytest.fixture
def active(store: GenerationStore) -> ActiveGeneration:
    opener = GenerationOpener(store, FakeEncoder, FakeIndexes())
    return ActiveGeneration(store, opener.open, FakeClock())


def test_health_before_first_look_starting(active: ActiveGeneration) -> None:
    assert health_of(active, NOW).tools.rag == ToolState(ready=False, reason="starting")


def test_health_nothing_published_not_ready(active: ActiveGeneration) -> None:
    active.refresh()
    health = health_of(active, NOW)
    assert (health.ready, health.generation) == (False, None)
    assert health.tools.rag == ToolState(ready=False, reason="no_generation")


def test_health_served_generation_described(
    store: GenerationStore, active: ActiveGeneration
) -> None:
    manifest = publish_new(store, "one")
    active.refresh()
    health = health_of(active, NOW + timedelta(seconds=90.7))
    assert health.ready
    assert health.tools.rag == ToolState(ready=True, reason=None)
    assert health.generation is not None
    assert (health.generation.id, health.generation.age_seconds) == (manifest.id, 90)
    assert (health.generation.branch, health.generation.published_at) == ("master", NOW)


def test_health_clock_set_back_age_not_negative(
    store: GenerationStore, active: ActiveGeneration
) -> None:
    publish_new(store, "one")
    active.refresh()
    health = health_of(active, NOW - timedelta(days=1))
    assert health.generation is not None
    assert health.generation.age_seconds == 0


def test_health_next_generation_damaged_ready_with_reason(
    store: GenerationStore, active: ActiveGeneration
) -> None:
    first = publish_new(store, "one")
    active.refresh()
    second = write_generation(store, "two")
    index_file(store, second).unlink()
    publish(store, second)
    active.refresh()
    health = health_of(active, NOW)
    assert health.ready
    assert health.generation is not None
    assert health.generation.id == first.id
    assert health.tools.rag == ToolState(ready=True, reason="artifact_damaged")


def test_health_first_generation_damaged_not_ready(
    store: GenerationStore, active: ActiveGeneration
) -> None:
    index_file(store, publish_new(store, "one")).unlink()
    active.refresh()
    health = health_of(active, NOW)
    assert health.tools.rag == ToolState(ready=False, reason="artifact_damaged")
    assert not health.ready


@pytest.mark.parametrize(
    ("rag", "graphrag", "ready"),
    [
        (ToolState(ready=True, reason=None), ToolState(ready=False, reason="not_configured"), True),
        (ToolState(ready=True, reason=None), ToolState(ready=True, reason=None), True),
        (ToolState(ready=True, reason=None), ToolState(ready=False, reason="down"), False),
        (ToolState(ready=False, reason="x"), ToolState(ready=True, reason=None), False),
    ],
)
def test_are_ready_needs_every_configured_tool(
    rag: ToolState, graphrag: ToolState, ready: bool
) -> None:
    assert Tools(rag=rag, neo4j=graphrag, graphrag=graphrag).are_ready is ready
