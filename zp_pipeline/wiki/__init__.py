"""Bytes of the wiki at a commit: the mirror, its trees, its blobs.

Belongs here: everything that runs git. What the bytes mean belongs to `zp_pipeline.documents`,
when to fetch to `zp_pipeline.orchestration`. Whoever writes (`Mirror.fetch`, `Mirror.accept`) holds
the build lock.
"""
