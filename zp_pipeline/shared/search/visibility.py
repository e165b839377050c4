"""Which chunks a caller may see, as a filter for LanceDB and as a mask over rows: one rule, twice.

The rule: the page is published, unless the caller may see others; now lies in its validity; and it
is open to everyone or shares a group with the caller.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from zp_pipeline.shared.schema.rights import GROUP_NAME
from zp_pipeline.shared.search.models import Caller


def filter_for(caller: Caller) -> str:
    """Return the LanceDB filter that lets through what `caller` may see.

    LanceDB has no bind parameters: only group names of the known shape become part of it.
    """
    groups = ", ".join(f"'{group}'" for group in _usable_groups(caller))
    access = (
        f"(open = true OR array_has_any(allowed_groups, [{groups}]))" if groups else "open = true"
    )
    times = f"valid_from_us <= {caller.now_us} AND valid_to_us > {caller.now_us}"
    published = "published = true AND " if caller.published_only else ""
    return f"{published}{times} AND {access}"


@dataclass(frozen=True, slots=True)
class Visibility:
    """The rights columns of all rows, in memory."""

    published: NDArray[np.bool_]
    open: NDArray[np.bool_]
    valid_from_us: NDArray[np.int64]
    valid_to_us: NDArray[np.int64]
    rows_by_group: dict[str, NDArray[np.int64]]

    @classmethod
    def of_table(cls, table: pa.Table) -> Self:
        """Read the rights columns of a table in row order."""
        names = ("published", "open", "valid_from_us", "valid_to_us")
        columns = {name: table[name].to_numpy() for name in names}
        return cls(
            **columns, rows_by_group=_rows_by_group(table["allowed_groups"].combine_chunks())
        )

    def mask(self, caller: Caller) -> NDArray[np.bool_]:
        """Return which rows `caller` may see."""
        allowed = self.open.copy()
        for group in _usable_groups(caller):
            allowed[self.rows_by_group.get(group, [])] = True
        allowed &= (self.valid_from_us <= caller.now_us) & (self.valid_to_us > caller.now_us)
        return allowed & self.published if caller.published_only else allowed


def _usable_groups(caller: Caller) -> list[str]:
    return sorted(group for group in caller.groups if GROUP_NAME.fullmatch(group))


def _rows_by_group(groups: pa.ListArray) -> dict[str, NDArray[np.int64]]:
    pairs = pa.table({"group": groups.flatten(), "row": pc.list_parent_indices(groups)})
    merged = pairs.group_by("group").aggregate([("row", "list")])
    rows = (np.asarray(found, np.int64) for found in merged["row_list"].to_pylist())
    return dict(zip(merged["group"].to_pylist(), rows, strict=True))
