"""What `/health` tells: whether questions can be answered, from what, and why not.

Needs no key, so it names no page, path or person.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from zp_serving.active_generation import ActiveGeneration
from zp_serving.served_generation import ServedGeneration

STARTING = "starting"
NO_GENERATION = "no_generation"
NOT_CONFIGURED = "not_configured"


class ModelInfo(BaseModel):
    """The embedding model of the generation."""

    name: str
    revision: str
    source: str


class GenerationInfo(BaseModel):
    """The served generation; its age counts from its publication."""

    id: str
    commit: str
    branch: str
    committed_at: datetime
    published_at: datetime
    age_seconds: int
    model: ModelInfo


class ToolState(BaseModel):
    """One tool. A ready tool has a reason when a newer generation was refused."""

    ready: bool
    reason: str | None


class Tools(BaseModel):
    """The tools that answers are made with."""

    rag: ToolState
    neo4j: ToolState
    graphrag: ToolState

    @property
    def are_ready(self) -> bool:
        """Tell whether all that is configured is ready: a graph that is not does not count."""
        return all(
            tool.ready for tool in (self.rag, self.graphrag) if tool.reason != NOT_CONFIGURED
        )


class HealthAnswer(BaseModel):
    """The state of the service; comes with status 200 while the process lives."""

    ready: bool
    generation: GenerationInfo | None
    tools: Tools


class LiveAnswer(BaseModel):
    """Says that the process lives."""

    status: Literal["alive"] = "alive"


def health_of(active: ActiveGeneration, now: datetime) -> HealthAnswer:
    """Return the state at `now`."""
    generation = active.generation
    absent = ToolState(ready=False, reason=NOT_CONFIGURED)
    tools = Tools(rag=_rag(active, generation), neo4j=absent, graphrag=absent)
    described = _describe(generation, now) if generation else None
    return HealthAnswer(ready=tools.are_ready, generation=described, tools=tools)


def _rag(active: ActiveGeneration, generation: ServedGeneration | None) -> ToolState:
    refused = active.refused.reason if active.refused else None
    if active.is_starting:
        return ToolState(ready=False, reason=STARTING)
    if generation is None:
        return ToolState(ready=False, reason=refused or NO_GENERATION)
    return ToolState(ready=True, reason=refused)


def _describe(generation: ServedGeneration, now: datetime) -> GenerationInfo:
    manifest, model = generation.manifest, generation.manifest.model
    return GenerationInfo(
        id=manifest.id,
        commit=manifest.commit,
        branch=manifest.branch,
        committed_at=manifest.committed_at,
        published_at=generation.published_at,
        age_seconds=max(0, int((now - generation.published_at).total_seconds())),
        model=ModelInfo(name=model.name, revision=model.revision, source=model.source),
    )
