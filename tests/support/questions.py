"""Asking the published generation of a home, without a server."""

import time

from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.shared.schema.index import IndexFacts
from zp_pipeline.shared.search.models import ARMS, Caller, SearchRequest
from zp_pipeline.shared.search.open_index import OpenIndex


def found_paths(
    workspace: Workspace, query: str, *arms: str, groups: frozenset[str] = frozenset()
) -> list[str]:
    """Return the paths found for `query`, best first, by `arms` or by all."""
    pointer = workspace.store.pointer()
    assert pointer is not None
    record = workspace.store.manifest(pointer.current.id).artifacts["search_index"]
    directory = workspace.store.artifacts.directory(record.kind, record.digest)
    index = OpenIndex.open(directory, IndexFacts(**record.facts))
    caller = Caller(groups, published_only=True, now_us=int(time.time() * 1e6))
    request = SearchRequest(query, 10, 1, caller, frozenset(arms or ARMS))
    try:
        return [
            hit.path for hit in index.search(request, workspace.query_encoder.encode(query)).hits
        ]
    finally:
        index.close()
