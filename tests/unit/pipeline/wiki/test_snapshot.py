"""Which files of a commit are pages, and how their paths are written."""

from typing import Any

from zp_pipeline.shared.schema.tables import SNAPSHOT, WARNINGS
from zp_pipeline.wiki.objects import TreeEntry
from zp_pipeline.wiki.snapshot import snapshot_table


def entry(path: bytes, mode: str = "100644", kind: str = "blob") -> TreeEntry:
    """Return an entry with the other facts filled in."""
    return TreeEntry(path, mode, kind, "b" * 40, 7)


def tables(*entries: TreeEntry) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Return rows of the snapshot, and (path, code) of the warnings."""
    pages, warnings = snapshot_table(entries)
    assert pages.schema == SNAPSHOT
    assert warnings.schema == WARNINGS
    return pages.to_pylist(), [(row["path"], row["code"]) for row in warnings.to_pylist()]


def test_snapshot_table_keeps_markdown_by_name_and_nothing_else() -> None:
    names = [b"a.md", b"b.MD", b"c.markdown", b"d.txt", b"md", b"e.md.png", b".md"]
    pages, warnings = tables(*map(entry, names))
    assert [page["path"] for page in pages] == [".md", "a.md", "b.MD", "c.markdown"]
    assert warnings == []


def test_snapshot_table_sorts_by_bytes() -> None:
    pages, _ = tables(entry("ň.md".encode()), entry(b"z.md"), entry(b"A.md"))
    assert [page["path"] for page in pages] == ["A.md", "z.md", "ň.md"]


def test_snapshot_table_row_has_all_facts() -> None:
    pages, _ = tables(entry(b"x/a.md", mode="100755"))
    assert pages == [
        {
            "path": "x/a.md",
            "path_bytes": b"x/a.md",
            "mode": "100755",
            "blob": "b" * 40,
            "size_bytes": 7,
        }
    ]


def test_snapshot_table_links_and_submodules_are_warned_of() -> None:
    pages, warnings = tables(
        entry(b"link.md", mode="120000"),
        entry(b"link.png", mode="120000"),
        entry(b"module", mode="160000", kind="commit"),
    )
    assert pages == []
    assert warnings == [("link.md", "symlink"), ("module", "submodule")]


def test_snapshot_table_path_not_utf8_is_shown_and_kept() -> None:
    pages, warnings = tables(entry(b"\xf2.md"))
    assert (pages[0]["path"], pages[0]["path_bytes"]) == ("\\xf2.md", b"\xf2.md")
    assert warnings == [("\\xf2.md", "path_not_utf8")]


def test_snapshot_table_paths_that_read_the_same_keep_the_first() -> None:
    pages, warnings = tables(entry(b"\xf2.md"), entry(b"\\xf2.md"))
    assert [page["path_bytes"] for page in pages] == [b"\\xf2.md"]
    assert ("\\xf2.md", "path_collision") in warnings


def test_snapshot_table_empty_commit_gives_empty_tables() -> None:
    assert tables() == ([], [])
