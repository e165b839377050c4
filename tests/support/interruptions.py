"""Workspaces in which one step fails or stops for ever, to see what a failure or a kill leaves.

The step is reached for real and stopped with its files half written, or just before the manifest
or the pointer is written.
"""

import time
from collections.abc import Callable
from pathlib import Path

from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.shared.generation.artifacts import Artifact, ArtifactStore, Recipe, Written
from zp_pipeline.shared.generation.manifest import GenerationManifest
from zp_pipeline.shared.generation.pointer import Pointer
from zp_pipeline.shared.generation.store import GenerationStore

POINTS = (
    "wiki_snapshot",
    "documents",
    "chunks",
    "embeddings",
    "search_index",
    "manifest",
    "pointer",
)

Interrupt = Callable[[], None]


def fail() -> None:
    """Fail as a full disk does."""
    raise OSError(28, "No space left on device")


def stop(marker: Path) -> Interrupt:
    """Return an interruption that tells it is reached and then waits to be killed."""

    def wait() -> None:
        marker.write_text("reached")
        time.sleep(600)

    return wait


class InterruptedArtifacts(ArtifactStore):
    """An artifact store in which the writing of one kind is interrupted, half done."""

    def __init__(self, root: Path, kind: str, interrupt: Interrupt) -> None:
        super().__init__(root)
        self._kind = kind
        self._interrupt = interrupt

    def produce(self, recipe: Recipe, write: Callable[[Path], Written]) -> Artifact:
        def half(into: Path) -> Written:
            written = write(into)
            self._interrupt()
            return written

        return super().produce(recipe, half if recipe.kind == self._kind else write)


class InterruptedStore(GenerationStore):
    """A store that is interrupted at one point."""

    def __init__(self, root: Path, point: str, interrupt: Interrupt) -> None:
        super().__init__(root)
        self.artifacts = InterruptedArtifacts(root / "artifacts", point, interrupt)
        self._point = point
        self._interrupt = interrupt

    def save_manifest(self, manifest: GenerationManifest) -> GenerationManifest:
        if self._point == "manifest":
            self._interrupt()
        return super().save_manifest(manifest)

    def move_pointer(self, pointer: Pointer) -> None:
        if self._point == "pointer":
            self._interrupt()
        super().move_pointer(pointer)


def interrupted(workspace: Workspace, point: str, interrupt: Interrupt) -> Workspace:
    """Return a workspace on the same home and settings, interrupted at `point`."""
    other = Workspace(workspace.settings)
    other.store = InterruptedStore(workspace.store.root, point, interrupt)
    return other
