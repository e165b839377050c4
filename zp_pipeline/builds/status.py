"""What there is and what is going on, as plain objects for `zp status` and `zp generations`."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.shared.generation.store import GenerationStore
from zp_pipeline.shared.sync.models import Request


def status_of(workspace: Workspace) -> dict[str, Any]:
    """Return what is served, the wiki's accepted head, the hold, and the state of the requests."""
    pointer = workspace.store.pointer()
    requests = workspace.requests.status()
    return {
        "generation": pointer.current.model_dump(mode="json") if pointer else None,
        "hold": pointer.hold.model_dump(mode="json") if pointer and pointer.hold else None,
        "wiki": {"url": workspace.mirror.shown_url, "head": workspace.mirror.head()},
        "building": workspace.lock.holder(),
        "active": [request_row(request) for request in requests.active],
        "last_success": request_row(requests.last_success),
        "last_failure": request_row(requests.last_failure),
        "worker_seen_at": iso(requests.worker_seen_at),
    }


def generations_of(store: GenerationStore) -> list[dict[str, Any]]:
    """Return a row per generation, newest build first; only built: `published_at` is null."""
    pointer = store.pointer()
    publications = [pointer.current, *pointer.earlier] if pointer else []
    published = {item.id: item.published_at for item in publications}
    return [
        {
            "id": manifest.id,
            "commit": manifest.commit,
            "published_at": iso(published.get(manifest.id)),
            "active": pointer is not None and pointer.current.id == manifest.id,
            "documents": manifest.documents,
            "chunks": manifest.chunks,
            "manifest": str(store.manifest_path(manifest.id)),
        }
        for manifest in store.manifests()
    ]


def request_row(request: Request | None) -> dict[str, Any] | None:
    """Return a request as JSON."""
    if request is None:
        return None
    row = asdict(request)
    return {
        name: iso(value) if isinstance(value, datetime) else value for name, value in row.items()
    }


def iso(time: datetime | None) -> str | None:
    """Return a time as ISO text."""
    return time.isoformat() if time else None
