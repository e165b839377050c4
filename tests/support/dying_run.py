"""A run that dies in mid-step, and prints its id.

Call: `python -m tests.support.dying_run HOME WIKI UPTO`.
"""

import os
import signal
import sys
import uuid
from pathlib import Path

from tests.support.homes import workspace_for
from tests.support.interruptions import interrupted
from zp_pipeline.orchestration.build_defs import build_defs
from zp_pipeline.orchestration.instance import open_instance
from zp_pipeline.orchestration.jobs import BUILD_JOB
from zp_pipeline.orchestration.partitions import KEY_LENGTH, PARTITIONS_NAME, UPTO_TAG


def die() -> None:
    """End this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    home, wiki, upto = sys.argv[1:]
    workspace = interrupted(workspace_for(Path(home), Path(wiki)), "documents", die)
    run_id = str(uuid.uuid4())
    print(run_id, flush=True)
    key = workspace.mirror.remote_head()[:KEY_LENGTH]
    with open_instance(workspace.dagster_home) as instance:
        instance.add_dynamic_partitions(PARTITIONS_NAME, [key])
        job = build_defs(lambda: workspace).resolve_job_def(BUILD_JOB)
        job.execute_in_process(
            instance=instance, run_id=run_id, partition_key=key, tags={UPTO_TAG: upto}
        )
