"""Rolling back to an older generation, and taking the roll-back back.

A roll-back never gives back what was locked: it is refused, with the pages named, where the newest
build narrows somebody's rights.
"""

import hashlib
from collections.abc import Iterator
from datetime import datetime

import pyarrow as pa
import pyarrow.parquet as pq

from zp_pipeline.publication.probes import Page, read_pages
from zp_pipeline.shared.errors import ActivationRefused, GenerationUnknown
from zp_pipeline.shared.generation.artifacts import verify_files
from zp_pipeline.shared.generation.manifest import GenerationManifest
from zp_pipeline.shared.generation.pointer import Hold, Pointer
from zp_pipeline.shared.generation.store import GenerationStore

NAMED_PAGES = 10


def activate(store: GenerationStore, id: str, head: str, now: datetime) -> Pointer:
    """Serve generation `id` again and hold automatic publication while `head` is the newest commit.

    Raises `GenerationUnknown`, `ArtifactDamaged`, or `ActivationRefused` naming the pages.
    """
    manifest = store.manifest(id)
    pointer = store.pointer()
    if pointer is None:
        raise GenerationUnknown("nothing has been published yet")
    refuse_widened_rights(store, manifest, newest_build(store, head))
    for record in manifest.artifacts.values():
        verify_files(store.artifacts.directory(record.kind, record.digest), record)
    moved = pointer.advanced(id, manifest.commit, now, hold=Hold(commit=head, since=now))
    store.move_pointer(moved)
    return moved


def newest_build(store: GenerationStore, head: str) -> GenerationManifest:
    """Return the build of the wiki's head, else the last one that was made."""
    manifests = store.manifests()
    return next((manifest for manifest in manifests if manifest.commit == head), manifests[0])


def resume(store: GenerationStore) -> Pointer:
    """End the hold; the next build of the head is published. Raises `GenerationUnknown`."""
    pointer = store.pointer()
    if pointer is None:
        raise GenerationUnknown("nothing has been published yet")
    released = pointer.model_copy(update={"hold": None})
    store.move_pointer(released)
    return released


def refuse_widened_rights(
    store: GenerationStore, target: GenerationManifest, newest: GenerationManifest
) -> None:
    """Raise `ActivationRefused` where `newest` locks what `target` would show."""
    locked = sorted(widened_pages(_documents(store, target), _documents(store, newest)))
    if locked:
        more = f" and {len(locked) - NAMED_PAGES} more" if len(locked) > NAMED_PAGES else ""
        raise ActivationRefused(f"locked since: {', '.join(locked[:NAMED_PAGES])}{more}")


def widened_pages(target: pa.Table, newest: pa.Table) -> Iterator[str]:
    """Yield the paths whose rights in `newest` are narrower than in `target`.

    A page that was moved is compared with the page of the same body, since locking a page and
    moving it are often one commit. A page that is gone altogether is no lock.
    """
    by_path = {page.path: page for page in read_pages(newest)}
    by_body = dict(zip(_bodies(newest), read_pages(newest), strict=True))
    for page, body in zip(read_pages(target), _bodies(target), strict=True):
        successor = by_path.get(page.path) or by_body.get(body)
        if successor is not None and is_narrower(successor, page):
            yield page.path


def is_narrower(now: Page, before: Page) -> bool:
    """Tell whether somebody, at some time, could see the page before and cannot now."""
    return (
        (before.published and not now.published)
        or (not now.open and (before.open or not before.allowed_groups <= now.allowed_groups))
        or now.valid_from_us > before.valid_from_us
        or now.valid_to_us < before.valid_to_us
    )


def _documents(store: GenerationStore, manifest: GenerationManifest) -> pa.Table:
    record = manifest.artifacts["documents"]
    return pq.read_table(
        store.artifacts.directory(record.kind, record.digest) / "documents.parquet"
    )


def _bodies(documents: pa.Table) -> list[bytes]:
    columns = documents.select(["text", "body_start"]).to_pydict()
    return [
        hashlib.sha256(text[start:].strip().encode()).digest()
        for text, start in zip(*columns.values(), strict=True)
    ]
