"""The assets of a generation, in the pipeline's order. Each is glue over `zp_pipeline.builds`."""

from collections.abc import Callable, Sequence
from typing import Any

import dagster as dg

from zp_pipeline.orchestration.partitions import generations

OWNERS = ["team:data-engineering"]
POOL = "build"

Body = Callable[..., dg.MaterializeResult[Any]]


def generation_asset(
    *kinds: str, deps: Sequence[dg.AssetsDefinition] = (), code_version: str | None = None
) -> Callable[[Body], dg.AssetsDefinition]:
    """Return the decorator of an asset of every generation; people read its docstring."""

    def decorate(body: Body) -> dg.AssetsDefinition:
        return dg.asset(
            body,
            partitions_def=generations,
            group_name="generation",
            owners=OWNERS,
            kinds={"python", *kinds},
            pool=POOL,
            deps=deps,
            code_version=code_version,
        )

    return decorate
