"""The folders of a store and the reading of manifests. Pipeline and service both start here."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from zp_pipeline.shared.errors import ArtifactDamaged, GenerationUnknown
from zp_pipeline.shared.generation.artifacts import ArtifactStore
from zp_pipeline.shared.generation.durable_files import replace_text
from zp_pipeline.shared.generation.manifest import ArtifactRecord, GenerationManifest
from zp_pipeline.shared.generation.pointer import Pointer, read_pointer, write_pointer


class GenerationStore:
    """`$ZP_HOME/store`: `artifacts/`, `builds/`, `generations/` and `current.json`."""

    def __init__(self, root: Path) -> None:
        """Use `root`; nothing is made until something is written."""
        self.root = root
        self.artifacts = ArtifactStore(root / "artifacts")
        self.builds = root / "builds"
        self.generations = root / "generations"
        self.pointer_path = root / "current.json"

    def pointer(self) -> Pointer | None:
        """Return which generation is served, or None before the first publication."""
        return read_pointer(self.pointer_path)

    def move_pointer(self, pointer: Pointer) -> None:
        """Make `pointer` the served state. Only for the holder of the build lock."""
        write_pointer(self.pointer_path, pointer)

    def manifest_path(self, id: str) -> Path:
        """Return where the manifest of a generation is or would be."""
        return self.generations / f"{id}.json"

    def manifest(self, id: str) -> GenerationManifest:
        """Return a manifest. Raises `GenerationUnknown` or `ArtifactDamaged`."""
        path = self.manifest_path(id)
        try:
            return GenerationManifest.model_validate_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise GenerationUnknown(f"no generation {id}") from None
        except ValidationError as error:
            raise ArtifactDamaged(f"the manifest of {id} cannot be read") from error

    def manifests(self) -> list[GenerationManifest]:
        """Return all manifests, the newest build first."""
        found = [self.manifest(path.stem) for path in self.generations.glob("*.json")]
        return sorted(found, key=lambda manifest: (manifest.built_at, manifest.id), reverse=True)

    def adopt_repaired(self, records: Mapping[str, ArtifactRecord]) -> None:
        """Put `records` into every manifest that names the same artifacts with other files.

        An artifact that was damaged is made again under its digest, and LanceDB's files then have
        other names: without this, no generation that shares it could be verified any more.
        """
        present = {record.digest: record for record in records.values()}
        for manifest in self.manifests():
            artifacts = {
                kind: present.get(record.digest, record)
                for kind, record in manifest.artifacts.items()
            }
            if artifacts != manifest.artifacts:
                repaired = manifest.model_copy(update={"artifacts": artifacts})
                replace_text(self.manifest_path(manifest.id), repaired.model_dump_json(indent=1))

    def save_manifest(self, manifest: GenerationManifest) -> GenerationManifest:
        """Write a manifest once; one that is there already is returned as it is."""
        path = self.manifest_path(manifest.id)
        if path.exists():
            return self.manifest(manifest.id)
        replace_text(path, manifest.model_dump_json(indent=1))
        return manifest
