"""`current.json`: which generation is served, since when, and which were before it.

One file and one atomic replace, so that readers see the old state or the new one. The service
watches it; only the holder of the build lock writes it.
"""

from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.generation.durable_files import replace_text
from zp_pipeline.shared.generation.manifest import Record


class Publication(Record):
    """A generation's time in service; `superseded_at` is null while it is served."""

    id: str
    commit: str
    published_at: datetime
    superseded_at: datetime | None = None


class Hold(Record):
    """Automatic publication rests until another commit heads the branch, or until `resume`."""

    commit: str
    since: datetime


class Pointer(Record):
    """The served generation, the earlier ones newest first, and the hold of a roll-back."""

    current: Publication
    earlier: list[Publication] = []
    hold: Hold | None = None

    def advanced(self, id: str, commit: str, now: datetime, hold: Hold | None) -> "Pointer":
        """Return the pointer after generation `id` took over at `now`."""
        if id == self.current.id:
            return Pointer(current=self.current, earlier=self.earlier, hold=hold)
        superseded = self.current.model_copy(update={"superseded_at": now})
        earlier = [superseded, *(item for item in self.earlier if item.id != id)]
        return Pointer(
            current=Publication(id=id, commit=commit, published_at=now), earlier=earlier, hold=hold
        )


def read_pointer(path: Path) -> Pointer | None:
    """Return the pointer, or None before the first publication. Raises `ArtifactDamaged`."""
    try:
        return Pointer.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise ArtifactDamaged(f"{path.name} cannot be read") from error


def write_pointer(path: Path, pointer: Pointer) -> None:
    """Replace the pointer atomically and durably."""
    replace_text(path, pointer.model_dump_json(indent=1))
