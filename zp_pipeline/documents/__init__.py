"""From the bytes of pages to the documents table: pure functions, one page at a time.

Belongs here: decoding, front matter, metadata, dates, rights. Reading git belongs to
`zp_pipeline.wiki`, the structure of the body to `zp_pipeline.chunking`. A page that cannot be read
as it should be gives a page and warnings; nothing here raises because of what a page contains.
"""
