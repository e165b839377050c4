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
    result: StepResult, name: str, visible_paths: set[str] | None = None
) -> dict[str, Any]:
    """Return schema and preview of a table; `visible_paths` limits the preview where given."""
    table = pq.read_table(result.artifact.file(f"{name}.parquet"))
    return {
        "dagster/column_schema": column_schema(table.schema),
        "preview": preview(table, visible_paths),
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


def preview(table: pa.Table, visible_paths: set[str] | None) -> dg.MarkdownMetadataValue:
    """Return the first rows as a Markdown table, long values cut."""
    if visible_paths is not None:
        table = table.filter(pc.is_in(table["path"], pa.array(sorted(visible_paths), pa.string())))
    columns = [name for name in table.column_names if name not in HIDDEN_COLUMNS]
    rows = table.select(columns).slice(0, PREVIEW_ROWS).to_pylist()
    return dg.MetadataValue.md(markdown_table(columns, [list(row.values()) for row in rows]))


def warnings_metadata(result: StepResult) -> dict[str, Any]:
    """Return the warnings of a step, each with file and line."""
    warnings = pq.read_table(result.artifact.file("warnings.parquet"))
    columns = ["path", "line", "code", "message"]
    rows = [
        list(row.values()) for row in warnings.select(columns).slice(0, SHOWN_WARNINGS).to_pylist()
    ]
    return {
        "warning_count": warnings.num_rows,
        "warnings": dg.MetadataValue.md(markdown_table(columns, rows)),
    }


def open_paths(documents: pa.Table) -> set[str]:
    """Return the paths of the pages that everyone may see."""
    visible = pc.and_(documents["open"], documents["published"])
    return set(documents.filter(visible)["path"].to_pylist())


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table; a value becomes one short line of text."""
    lines = [_line(columns), _line(["---"] * len(columns)), *(_line(row) for row in rows)]
    return "\n".join(lines)


def _line(values: Sequence[Any]) -> str:
    return "| " + " | ".join(_cell(value) for value in values) + " |"


def _cell(value: Any) -> str:
    text = "" if value is None else " ".join(str(value).split()).replace("|", "\\|")
    return text if len(text) <= PREVIEW_CHARACTERS else f"{text[: PREVIEW_CHARACTERS - 1]}…"
