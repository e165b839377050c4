"""What Dagster shows of a step: pages with rights stay hidden, and no value breaks the table."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.generations import document, documents_table
from zp_pipeline.builds.steps import StepResult
from zp_pipeline.orchestration.metadata import (
    PREVIEW_CHARACTERS,
    PREVIEW_ROWS,
    SHOWN_WARNINGS,
    column_schema,
    markdown_table,
    materialised,
    preview,
    restricted_paths,
    table_metadata,
    warnings_metadata,
)
from zp_pipeline.shared.generation.artifacts import ArtifactStore, Recipe, Written
from zp_pipeline.shared.schema.tables import DOCUMENTS, WARNINGS

PAGES = documents_table(
    document("open.md", title="Strojový preklad"),
    document("locked.md", title="Heslo", open=False, allowed_groups=["ucitelia"]),
    document("nobody.md", title="Trezor", open=False),
    document("draft.md", title="Koncept", published=False),
)


def step_result(directory: Path, name: str, table: pa.Table, **counts: int) -> StepResult:
    def write(into: Path) -> Written:
        pq.write_table(table, into / f"{name}.parquet")
        return Written({name: table.num_rows})

    recipe = Recipe(name, "1", {"limit": 5}, {"wiki_snapshot": "a" * 64})
    artifact = ArtifactStore(directory / "artifacts").produce(recipe, write)
    return StepResult(artifact, 0.12345, counts)


def warnings_table(count: int) -> pa.Table:
    row = {"path": "a.md", "line": 3, "code": "bad_date", "message": "x"}
    return pa.Table.from_pylist([row] * count, schema=WARNINGS)


def body_rows(markdown: str) -> list[str]:
    return markdown.splitlines()[2:]


def test_restricted_paths_are_those_with_rights_or_unpublished() -> None:
    assert restricted_paths(PAGES) == {"locked.md", "nobody.md", "draft.md"}


def test_preview_pages_with_rights_are_not_shown() -> None:
    shown = preview(PAGES, restricted_paths(PAGES)).md_str
    assert "Strojový preklad" in shown
    assert [word for word in ("Heslo", "Trezor", "Koncept", "locked.md") if word in shown] == []


def test_preview_no_open_page_shows_no_row() -> None:
    assert body_rows(preview(PAGES, set(PAGES["path"].to_pylist())).md_str) == []


def test_preview_many_rows_the_first_are_shown() -> None:
    table = pa.table({"path": [f"{number}.md" for number in range(PREVIEW_ROWS + 3)]})
    rows = body_rows(preview(table, None).md_str)
    assert rows == [f"| {number}.md |" for number in range(PREVIEW_ROWS)]


def test_preview_columns_for_machines_are_left_out() -> None:
    header = preview(PAGES, None).md_str.splitlines()[0]
    assert "title" in header
    assert "path_bytes" not in header
    assert "front_matter" not in header


def test_markdown_table_long_value_is_cut_to_the_limit() -> None:
    (row,) = body_rows(markdown_table(["text"], [["ž" * (PREVIEW_CHARACTERS + 1)]]))
    assert row == f"| {'ž' * (PREVIEW_CHARACTERS - 1)}… |"


def test_markdown_table_value_at_the_limit_is_whole() -> None:
    value = "x" * PREVIEW_CHARACTERS
    assert body_rows(markdown_table(["text"], [[value]])) == [f"| {value} |"]


def test_markdown_table_bars_and_lines_stay_in_their_cell() -> None:
    rows = body_rows(markdown_table(["a", "b"], [["x|y\n\n z", None], [[1, 2], True]]))
    assert rows == ["| x\\|y z |  |", "| [1, 2] | True |"]


def test_column_schema_names_types_and_nulls() -> None:
    columns = {column.name: column for column in column_schema(DOCUMENTS).columns}
    assert list(columns) == DOCUMENTS.names
    assert columns["text"].type == "large_string"
    assert not columns["path"].constraints.nullable
    assert columns["title"].constraints.nullable


def test_table_metadata_reads_the_table_that_the_step_wrote(tmp_path: Path) -> None:
    result = step_result(tmp_path, "documents", PAGES)
    shown = table_metadata(result, "documents", restricted_paths(PAGES))
    columns = shown["dagster/column_schema"].columns
    assert [column.name for column in columns] == DOCUMENTS.names
    assert len(body_rows(shown["preview"].md_str)) == 1


def test_warnings_metadata_counts_all_and_shows_the_first(tmp_path: Path) -> None:
    table = warnings_table(SHOWN_WARNINGS + 1)
    shown = warnings_metadata(step_result(tmp_path, "warnings", table))
    rows = body_rows(shown["warnings"].md_str)
    assert shown["warning_count"] == SHOWN_WARNINGS + 1
    assert len(rows) == SHOWN_WARNINGS
    assert rows[0] == "| a.md | 3 | bad_date | x |"


def test_materialised_step_tells_digest_inputs_counts_and_duration(tmp_path: Path) -> None:
    result = step_result(tmp_path, "documents", PAGES, cached_pages=3)
    shown: Any = materialised(result, {"note": "x"})
    digest = result.artifact.record.digest
    assert shown.data_version.value == shown.metadata["digest"] == digest
    assert shown.metadata["inputs"].data == {"wiki_snapshot": "a" * 64}
    assert shown.metadata["rows/documents"] == shown.metadata["dagster/row_count"] == 4
    assert (shown.metadata["cached_pages"], shown.metadata["note"]) == (3, "x")
    assert shown.metadata["duration_seconds"] == 0.123
    assert shown.metadata["reused"] is False


def test_warnings_metadata_messages_of_hidden_pages_are_not_shown(tmp_path: Path) -> None:
    result = step_result(tmp_path, "warnings", warnings_table(1))
    assert "| x |" in warnings_metadata(result)["warnings"].md_str
    hidden = warnings_metadata(result, {"a.md"})["warnings"].md_str
    assert "| x |" not in hidden
    assert "| a.md | 3 | bad_date |" in hidden
