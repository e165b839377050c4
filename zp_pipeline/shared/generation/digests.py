"""Names of things by what they were made from. No commit, date, host or path enters a digest."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def digest_of(value: Any) -> str:
    """Return the SHA-256, as hex, of a JSON value in its canonical form."""
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def artifact_digest(
    kind: str, code_version: str, settings: Mapping[str, Any], inputs: Mapping[str, str]
) -> str:
    """Return the digest of an artifact; `inputs` maps the kinds of its inputs to their digests."""
    return digest_of([kind, code_version, dict(settings), dict(inputs)])


def root_digest(digests: Mapping[str, str]) -> str:
    """Return the digest of a generation from the digests of its artifacts by kind."""
    return digest_of(sorted(digests.items()))


def generation_id(commit: str, root: str) -> str:
    """Return `<first 12 of the commit>.<first 8 of the root digest>`."""
    return f"{commit[:12]}.{root[:8]}"
