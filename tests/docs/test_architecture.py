"""`docs/ARCHITECTURE.md` has a section for every folder, and names none that is not there."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
TEXT = (REPOSITORY / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
IN_BACKTICKS = re.compile(r"`([^`]+)`")
ROOM = re.compile(r"\w+/?")  # a folder such as `schema/`, or a module such as `gate`


def sections() -> list[tuple[list[Path], str]]:
    """Return each section that is about folders: the folders of its heading, and its text.

    The first folder of a heading is a path; the others stand beside it.
    """
    found = []
    for section in TEXT.split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        if names := IN_BACKTICKS.findall(heading):
            beside = (REPOSITORY / names[0]).parent
            found.append(([REPOSITORY / names[0], *(beside / name for name in names[1:])], body))
    return found


def is_room(folder: Path, name: str) -> bool:
    """Tell whether `name` is a folder or, without its slash, also a module of `folder`."""
    return (folder / name).is_dir() or (folder / f"{name}.py").is_file()


def test_headings_each_folder_exists() -> None:
    folders = [folder for named, _ in sections() for folder in named]
    assert len(folders) >= 8
    assert [folder for folder in folders if not folder.is_dir()] == []


def test_headings_every_folder_of_the_pipeline_has_a_section() -> None:
    folders = {folder for named, _ in sections() for folder in named}
    packages = {path.parent for path in (REPOSITORY / "zp_pipeline").glob("*/__init__.py")}
    assert packages | {REPOSITORY / "zp_serving", REPOSITORY / "evaluation"} <= folders


def test_sections_each_room_in_backticks_exists() -> None:
    missing = [
        name
        for folders, body in sections()
        for name in IN_BACKTICKS.findall(body)
        if ROOM.fullmatch(name) and not any(is_room(folder, name) for folder in folders)
    ]
    assert missing == []


def test_paths_in_backticks_each_exists() -> None:
    roots = ("zp_pipeline/", "zp_serving/", "evaluation/", "tests/", "docs/")
    paths = [name for name in IN_BACKTICKS.findall(TEXT) if name.startswith(roots)]
    assert paths
    assert [path for path in paths if not (REPOSITORY / path).exists()] == []
