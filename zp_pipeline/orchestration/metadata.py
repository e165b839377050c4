"""What people see of a step in Dagster: counts, schema, preview, warnings, digests, duration.

A preview never shows pages with rights: only those open to everyone and published.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from zp_pipeline.builds.steps import StepResult

PREVIEW_ROWS = 5
PREVIEW_CHARACTERS = 80
SHOWN_WARNINGS = 200
HIDDEN_MESSAGE = "not shown: the page has rights or is unpublished"
HIDDEN_COLUMNS = {"path_bytes", "vector", "front_matter"}


def materialised(
    result: StepResult, extra: Mapping[str, Any] | None = None
) -> dg.MaterializeResult[Any]:
    """Return the materialisation of a step with everything worth looking at."""
    record = result.artifact.record
    metadata = {
        "digest": record.digest,
        "inputs": dg.MetadataValue.json(record.inputs),
        "settings": dg.MetadataValue.json(record.settings),
        "reused": result.artifact.reused,
        "duration_seconds": round(result.duration_seconds, 3),
        "dagster/uri": result.artifact.directory.as_uri(),
        "dagster/row_count": next(iter(record.rows.values())),
        **{f"rows/{name}": count for name, count in record.rows.items()},
        **result.counts,
        **(extra or {}),
    }
    return dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(record.digest))


def table_metadata(
    result: StepResult, name: str, hidden_paths: set[str] | None = None
) -> dict[str, Any]:
    """Return schema and preview of a table; pages of `hidden_paths` are not in the preview."""
    table = pq.read_table(result.artifact.file(f"{name}.parquet"))
    return {
        "dagster/column_schema": column_schema(table.schema),
        "preview": preview(table, hidden_paths),
    }


def column_schema(schema: pa.Schema) -> dg.TableSchema:
    """Return an Arrow schema as Dagster shows it."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=field.name,
                type=str(field.type),
                constraints=dg.TableColumnConstraints(nullable=field.nullable),
            )
            for field in schema
        ]
    )


def preview(table: pa.Table, hidden_paths: set[str] | None) -> dg.MarkdownMetadataValue:
    """Return the first rows as a Markdown table, long values cut."""
    if hidden_paths:
        hidden = pa.array(sorted(hidden_paths), pa.string())
        table = table.filter(pc.invert(pc.is_in(table["path"], hidden)))
    columns = [name for name in table.column_names if name not in HIDDEN_COLUMNS]
    rows = table.select(columns).slice(0, PREVIEW_ROWS).to_pylist()
    return dg.MetadataValue.md(markdown_table(columns, [list(row.values()) for row in rows]))


def warnings_metadata(result: StepResult, hidden_paths: set[str] | None = None) -> dict[str, Any]:
    """Return the warnings of a step, each with file and line.

    A message may quote its page, so those of `hidden_paths` are left out.
    """
    warnings = pq.read_table(result.artifact.file("warnings.parquet"))
    rows = [
        [row["path"], row["line"], row["code"], shown_message(row, hidden_paths)]
        for row in warnings.slice(0, SHOWN_WARNINGS).to_pylist()
    ]
    shown = markdown_table(["path", "line", "code", "message"], rows)
    return {"warning_count": warnings.num_rows, "warnings": dg.MetadataValue.md(shown)}


def shown_message(warning: Mapping[str, Any], hidden_paths: set[str] | None) -> str:
    """Return the message of a warning, unless its page is hidden."""
    return HIDDEN_MESSAGE if warning["path"] in (hidden_paths or ()) else warning["message"]


def restricted_paths(documents: pa.Table) -> set[str]:
    """Return the paths of the pages that not everyone may see."""
    restricted = pc.invert(pc.and_(documents["open"], documents["published"]))
    return set(documents.filter(restricted)["path"].to_pylist())


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table; a value becomes one short line of text."""
    lines = [_line(columns), _line(["---"] * len(columns)), *(_line(row) for row in rows)]
    return "\n".join(lines)


def _line(values: Sequence[Any]) -> str:
    return "| " + " | ".join(_cell(value) for value in values) + " |"


def _cell(value: Any) -> str:
    text = "" if value is None else " ".join(str(value).split()).replace("|", "\\|")
    return text if len(text) <= PREVIEW_CHARACTERS else f"{text[: PREVIEW_CHARACTERS - 1]}…"
