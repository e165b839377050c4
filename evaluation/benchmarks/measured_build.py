"""One build in a process of its own, each step timed, with its own peak memory. Prints JSON.

`python -m evaluation.benchmarks.measured_build`, with the settings in the environment. The steps
are those of the assets; Dagster itself is left out, and so is the start of the interpreter.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zp_pipeline.builds.run import open_run
from zp_pipeline.builds.workspace import open_workspace
from zp_pipeline.publication.results import judge_run, publish_run

RESET_PEAK = "5"  # written to clear_refs: the kernel forgets the peak so far (proc(5))
KIB_PER_MIB = 1024


def measured(step: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Run `step`; return its result, its seconds and the peak resident memory while it ran."""
    Path("/proc/self/clear_refs").write_text(RESET_PEAK)
    started = time.perf_counter()
    result = step()
    seconds = time.perf_counter() - started
    return result, {"seconds": round(seconds, 3), "peak_mib": round(peak_mib(), 0)}


def peak_mib() -> float:
    """Return the peak resident memory of this process since the last reset."""
    status = Path("/proc/self/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / KIB_PER_MIB


def run() -> dict[str, dict[str, float]]:
    """Build and publish the head of the configured wiki."""
    workspace = open_workspace()
    head = workspace.mirror.remote_head()
    with open_run(
        workspace, f"benchmark-{time.time_ns()}", head[:12], None, lambda _: None
    ) as opened:
        steps: dict[str, Callable[[], Any]] = {
            "fetch": workspace.mirror.fetch,
            "wiki_snapshot": lambda: opened.build.wiki_snapshot(),
            "documents": lambda: opened.build.documents(),
            "chunks": lambda: opened.build.chunks(),
            "embeddings": lambda: opened.build.embeddings(lambda done, total: None),
            "search_index": lambda: opened.build.search_index(),
            "gate": lambda: judge_run(opened),
            "publication": lambda: publish_run(opened),
        }
        return {name: measured(step)[1] for name, step in steps.items()}


if __name__ == "__main__":
    print(json.dumps(run()))
