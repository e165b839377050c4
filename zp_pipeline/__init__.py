"""Turns a commit of the wiki into a published generation. The rooms: docs/ARCHITECTURE.md."""
