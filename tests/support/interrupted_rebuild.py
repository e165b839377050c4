"""A process to be killed: `python -m tests.support.interrupted_rebuild HOME WIKI POINT MARKER`."""

import sys
from pathlib import Path

from tests.support.homes import workspace_for
from tests.support.interruptions import interrupted, stop
from zp_pipeline.orchestration.rebuild import rebuild

if __name__ == "__main__":
    home, wiki, point, marker = sys.argv[1:]
    workspace = interrupted(workspace_for(Path(home), Path(wiki)), point, stop(Path(marker)))
    rebuild(workspace, pull=True)
