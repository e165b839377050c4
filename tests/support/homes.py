"""A ZP_HOME on a real wiki, with the prepared model, in a test's folder."""

from pathlib import Path

from tests.support.assets import model_assets
from zp_pipeline.builds.workspace import Workspace
from zp_pipeline.settings import PipelineSettings

PAGES = {
    "pages/students/2016/jan_holp/README.md": (
        "---\ntitle: Ján Holp\ntaxonomy:\n  category: [dp2021]\n  tag: [ir, nlp]\n---\n"
        "# Ján Holp\n\n"
        "## Diplomová práca 2021\n\nNázov: Vyhľadávanie informácií a hodnotenie dokumentov\n\n"
        "Vedúci: Ing. Pavol Jalovec, PhD.\n"
    ),
    "pages/topics/preklad/README.md": (
        "---\ntitle: Strojový preklad\n---\n# Strojový preklad\n\n"
        "Neurónový strojový preklad slovenského jazyka pomocou nástroja Fairseq.\n"
    ),
    "pages/info/citovanie.md": (
        "# Ako citovať\n\nCitácie v záverečnej práci sa píšu podľa normy ISO 690.\n"
    ),
    "pages/interne/porada.md": (
        "---\ntitle: Porada katedry\nallowed_groups: [ucitelia]\n---\n"
        "Heslo k skrini je mrkvovník.\n"
    ),
    "pages/interne/koncept.md": (
        "---\ntitle: Koncept osnovy\npublished: false\n---\nNehotová osnova predmetu.\n"
    ),
}


def new_home(directory: Path) -> Path:
    """Return a new home whose model assets are a link to the prepared ones."""
    home = directory / "home"
    home.mkdir()
    (home / "assets").symlink_to(model_assets(), target_is_directory=True)
    return home


def settings_for(home: Path, wiki: Path, **overrides: object) -> PipelineSettings:
    """Return the settings of a home; `overrides` go by the names of the settings."""
    return PipelineSettings.load(ZP_HOME=str(home), ZP_WIKI_URL=str(wiki), **overrides)


def workspace_for(home: Path, wiki: Path, **overrides: object) -> Workspace:
    """Return a workspace on a home."""
    return Workspace(settings_for(home, wiki, **overrides))


def files_of(directory: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }
