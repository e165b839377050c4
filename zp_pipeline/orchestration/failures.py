"""Our errors as Dagster sees them; the one place where the two meet.

Nothing is retried by Dagster: tries are counted in the request table alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from zp_pipeline.builds.run import BuildRun
from zp_pipeline.shared.errors import ZpError
from zp_pipeline.shared.sync.models import Phase


@contextmanager
def reported(run: BuildRun, phase: Phase) -> Iterator[None]:
    """Enter `phase`; an error of ours closes the run's requests and fails the step with its reason.

    An error that is not ours goes on as it is: Dagster shows its trace, and the sensor or the
    command that started the run closes the requests.
    """
    run.enter(phase)
    try:
        yield
    except ZpError as error:
        run.fail(error)
        raise dg.Failure(
            description=f"{error.reason}: {error}",
            metadata={"reason": error.reason},
            allow_retries=False,
        ) from error
