"""The one tree of our exceptions; each edge (CLI, HTTP, Dagster) converts it once.

ZpError                     has a stable machine `reason`; str() is for people
├── PermanentError          trying again cannot help
│   ├── SettingsError       a setting is unknown, missing or malformed
│   ├── ModelAssetsError    a model file is missing or is not the one named
│   ├── WikiError           the wiki's repository is not usable as configured
│   │   ├── WrongOrigin         the mirror belongs to another repository or branch
│   │   ├── BranchMissing       the branch does not exist there, or has no commit
│   │   ├── CommitUnknown       the commit is not in the mirror
│   │   └── HistoryRewritten    the head does not descend from the accepted one
│   ├── ArtifactMismatch    an input is not the one that was recorded for it
│   ├── ArtifactDamaged     files of an artifact or generation are not whole
│   ├── GenerationUnknown   no such generation
│   ├── GateRefused         a check before publication failed
│   └── ActivationRefused   a roll-back would give back what was locked
└── TransientError          may go away by itself
    └── GitUnavailable      the git server did not answer in time
"""

from typing import ClassVar


class ZpError(Exception):
    """Base of all our errors. `reason` is stable, for machines; the message is for people."""

    reason: ClassVar[str] = "internal_error"


class PermanentError(ZpError):
    """Trying again without changing something cannot help."""


class TransientError(ZpError):
    """May go away by itself; worth another try."""


class SettingsError(PermanentError):
    """A setting is unknown, missing or malformed. Names the setting, never its value."""

    reason = "invalid_settings"


class ModelAssetsError(PermanentError):
    """A model file is missing, damaged, or not the one a generation was built with."""

    reason = "model_assets"


class WikiError(PermanentError):
    """The wiki's repository cannot be used as configured."""

    reason = "wiki_unusable"


class WrongOrigin(WikiError):
    """The mirror was made from another repository or branch than the settings name."""

    reason = "wrong_origin"


class BranchMissing(WikiError):
    """The branch does not exist in the repository, or has no commit yet."""

    reason = "branch_missing"


class CommitUnknown(WikiError):
    """The commit is not in the mirror."""

    reason = "commit_unknown"


class HistoryRewritten(WikiError):
    """The head of the branch does not descend from the last accepted commit."""

    reason = "history_rewritten"


class ArtifactMismatch(PermanentError):
    """An input of a step is not the one recorded for it; the message names both digests."""

    reason = "artifact_mismatch"


class ArtifactDamaged(PermanentError):
    """Files of an artifact or a generation are missing, truncated or changed."""

    reason = "artifact_damaged"


class GenerationUnknown(PermanentError):
    """There is no such generation in the store."""

    reason = "generation_unknown"


class GateRefused(PermanentError):
    """A check before publication failed; the message names the checks."""

    reason = "gate_refused"


class ActivationRefused(PermanentError):
    """Activating an older generation would give back access that was taken away since."""

    reason = "activation_refused"


class GitUnavailable(TransientError):
    """The git server did not answer, or cut the line."""

    reason = "git_unavailable"
