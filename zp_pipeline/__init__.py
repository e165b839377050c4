"""Turns a commit of the wiki into a published generation. See docs/ARCHITECTURE.md for the rooms."""
