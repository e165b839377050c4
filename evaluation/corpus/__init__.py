"""The demo wiki: facts, the pages that state them, and the git history that carries the pages.

`facts.yaml` is the source of everything and `facts.py` reads it. `rendering.py` turns facts into
files by the templates and the hand-written pages, `broken_pages.py` adds the files that no fact
asks for, `history.py` lays the files out as commits and `repository.py` writes those with git.
Questions about the facts do not belong here but in `evaluation.datasets`.
"""
