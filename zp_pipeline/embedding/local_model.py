"""Opening the sentence-transformers directory, offline and without noise.

The only place that makes a `SentenceTransformer`, so that no other can forget to forbid the hub.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def open_model(directory: Path) -> "SentenceTransformer":
    """Load the model of a directory on the CPU; the hub is never asked."""
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    return SentenceTransformer(str(directory), device="cpu", local_files_only=True)
