"""Settings: a typo is an error that names it, a value is never shown, the environment wins."""

from pathlib import Path

import pytest

from zp_pipeline.settings import PipelineSettings
from zp_pipeline.shared.errors import SettingsError
from zp_pipeline.shared.settings import KNOWN_ZP_NAMES


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_load_nothing_set_gives_the_documented_defaults(tmp_path: Path) -> None:
    settings = PipelineSettings.load()
    assert settings.home == tmp_path / "var"
    assert settings.chunk_max_tokens == 450
    assert settings.chunk_overlap_tokens == 70
    assert settings.chunk_min_tokens == 80
    assert settings.keep_generations == 3
    assert settings.shrink_limit == 0.5
    assert settings.max_file_bytes == 2 * 1024 * 1024


@pytest.mark.parametrize("name", ["ZP_HOEM", "zp_hoem"])
def test_load_unknown_name_in_environment_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "secret-value")
    with pytest.raises(SettingsError, match="ZP_HOEM") as caught:
        PipelineSettings.load()
    assert "secret-value" not in str(caught.value)


def test_load_unknown_name_in_env_file_is_named() -> None:
    Path(".env").write_text("ZP_WIKI_BRNCH=main\n")
    with pytest.raises(SettingsError, match="ZP_WIKI_BRNCH"):
        PipelineSettings.load()


def test_load_environment_and_file_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("CHUNK_MAX_TOKENS=300\nZP_WIKI_BRANCH=file\n")
    monkeypatch.setenv("ZP_WIKI_BRANCH", "environment")
    settings = PipelineSettings.load()
    assert settings.wiki_branch == "environment"
    assert settings.chunk_max_tokens == 300


@pytest.mark.parametrize(
    ("name", "value"),
    [("CHUNK_MAX_TOKENS", "many"), ("ZP_API_PORT", "99999"), ("ZP_KEEP_GENERATIONS", "0")],
)
def test_load_malformed_value_names_the_setting_only(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as caught:
        PipelineSettings.load()
    assert value not in str(caught.value)


def test_known_names_cover_every_zp_name_of_the_class() -> None:
    aliases = {str(field.validation_alias) for field in PipelineSettings.model_fields.values()}
    assert {alias for alias in aliases if alias.startswith("ZP_")} <= KNOWN_ZP_NAMES


def test_load_values_that_do_not_fit_each_other_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNK_OVERLAP_TOKENS", "400")
    with pytest.raises(SettingsError, match="CHUNK_OVERLAP_TOKENS may be at most half"):
        PipelineSettings.load()
