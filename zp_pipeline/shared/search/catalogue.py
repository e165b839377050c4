"""What is kept in memory of every row of an index: its document, its rights, and the titles.

Read from LanceDB once, when an index is opened.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from zp_pipeline.shared.schema.rights import RIGHTS_FIELDS
from zp_pipeline.shared.search.visibility import Visibility
from zp_pipeline.shared.text.analyzer import analyse

COLUMNS = ("path", "title", *(field.name for field in RIGHTS_FIELDS))


def title_key(text: str) -> str:
    """Return the words of a title or question, by which exact titles are recognised."""
    return " ".join(analyse(text))


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Columns of all rows, and the rows of each title."""

    documents: NDArray[np.int32]  # number of each row's document
    visibility: Visibility
    _rows_by_title: dict[str, list[int]]

    @classmethod
    def of_table(cls, table: pa.Table) -> Self:
        """Read `COLUMNS` of a table in row order."""
        paths = table["path"].combine_chunks().dictionary_encode()
        rows_by_title: dict[str, list[int]] = {}
        for title, rows in _rows_of_distinct(table["title"]):
            rows_by_title.setdefault(title_key(title), []).extend(rows)
        rows_by_title.pop("", None)
        return cls(paths.indices.to_numpy(), Visibility.of_table(table), rows_by_title)

    def rows_titled(self, query: str) -> NDArray[np.int64]:
        """Return the rows of pages whose title has exactly the words of `query`."""
        return np.array(self._rows_by_title.get(title_key(query), []), np.int64)


def _rows_of_distinct(titles: pa.ChunkedArray) -> list[tuple[str, list[int]]]:
    table = pa.table({"title": titles, "row": pa.array(range(len(titles)))})
    grouped = table.filter(pc.is_valid(titles)).group_by("title").aggregate([("row", "list")])
    return list(zip(grouped["title"].to_pylist(), grouped["row_list"].to_pylist(), strict=True))
