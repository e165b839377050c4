"""`store/builds/<commit12>-<settings8>/<step>.json`: what each step of a build made, and from what.

A re-run finds its inputs here, not in Dagster's event log. An input that was made from something
else than what is recorded now is an error that names both.
"""

from pathlib import Path

from pydantic import ValidationError

from zp_pipeline.shared.errors import ArtifactDamaged, ArtifactMismatch
from zp_pipeline.shared.generation.durable_files import replace_text
from zp_pipeline.shared.generation.manifest import ArtifactRecord, Record


class StepRecord(Record):
    """One step of one build; `inputs` maps the kinds of its inputs to their digests."""

    step: str
    commit: str
    digest: str
    inputs: dict[str, str]


class BuildRecords:
    """The records of one commit under one set of settings."""

    def __init__(self, builds: Path, commit: str, settings_fingerprint: str) -> None:
        """Use the folder of this commit and these settings below `builds`."""
        self.commit = commit
        self.directory = builds / f"{commit[:12]}-{settings_fingerprint[:8]}"

    def save(self, record: ArtifactRecord) -> None:
        """Record that a step made (or found) this artifact."""
        step = StepRecord(
            step=record.kind, commit=self.commit, digest=record.digest, inputs=record.inputs
        )
        replace_text(self.directory / f"{record.kind}.json", step.model_dump_json(indent=1))

    def load(self, step: str) -> StepRecord:
        """Return what `step` made.

        Raises `ArtifactMismatch` when it has not run or its inputs changed, `ArtifactDamaged` when
        its record cannot be read.
        """
        record = self._read(step)
        for kind, digest in record.inputs.items():
            path = self.directory / f"{kind}.json"
            if path.exists() and (now := self._read(kind).digest) != digest:
                raise ArtifactMismatch(
                    f"{step} was made from {kind} {digest[:12]}, but {kind} is {now[:12]} now;"
                    f" materialise {step} again"
                )
        return record

    def _read(self, step: str) -> StepRecord:
        path = self.directory / f"{step}.json"
        try:
            return StepRecord.model_validate_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ArtifactMismatch(
                f"{step} has not been built for {self.commit[:12]} with these settings;"
                f" materialise {step} first"
            ) from None
        except ValidationError as error:
            raise ArtifactDamaged(
                f"the record of {step} for {self.commit[:12]} cannot be read"
            ) from error
