"""Times the parts of a search. What is done with the times is the caller's part."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """Adds up wall time by the name of a part."""

    def __init__(self) -> None:
        """Start with no part measured."""
        self.spent_ms: dict[str, float] = {}

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """Add the time of the block to `part`."""
        start = time.perf_counter()
        yield
        spent = (time.perf_counter() - start) * 1000
        self.spent_ms[part] = self.spent_ms.get(part, 0.0) + spent
