"""Settings of the service: secrets are long and distinct, and no message holds one."""

from pathlib import Path

import pytest

from tests.unit.serving.serving_fakes import SEARCH_KEY
from zp_pipeline.shared.errors import SettingsError
from zp_serving.settings import ServingSettings


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("SEARCH_API_KEY", "SYNC_API_KEY", "WEBHOOK_SECRET", "OPENWEBUI_JWT_SECRET"):
        monkeypatch.delenv(name, raising=False)


def test_load_short_key_names_setting_and_not_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_API_KEY", "short-secret")
    with pytest.raises(SettingsError, match="SEARCH_API_KEY") as caught:
        ServingSettings.load()
    assert "short-secret" not in str(caught.value)


@pytest.mark.parametrize("other", ["SYNC_API_KEY", "WEBHOOK_SECRET", "OPENWEBUI_JWT_SECRET"])
def test_load_equal_secrets_refused(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    monkeypatch.setenv("SEARCH_API_KEY", SEARCH_KEY)
    monkeypatch.setenv(other, SEARCH_KEY)
    with pytest.raises(SettingsError, match=other) as caught:
        ServingSettings.load()
    assert SEARCH_KEY not in str(caught.value)


def test_load_distinct_secrets_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_API_KEY", SEARCH_KEY)
    monkeypatch.setenv("SYNC_API_KEY", SEARCH_KEY[::-1])
    assert ServingSettings.load().service_key.get_secret_value() == SEARCH_KEY


def test_service_key_unset_refused_when_needed() -> None:
    settings = ServingSettings.load()
    with pytest.raises(SettingsError, match="SEARCH_API_KEY"):
        settings.service_key  # noqa: B018


def test_load_cors_origins_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZP_CORS_ORIGINS", "http://localhost:3000, https://chat.example.org,")
    origins = ServingSettings.load().cors_origins
    assert origins == ("http://localhost:3000", "https://chat.example.org")


@pytest.mark.parametrize(
    "template",
    [
        "https://wiki.example.org/{page}",
        "https://wiki.example.org/{path.__class__}",
        "https://wiki.example.org/{path!r}",
        "https://wiki.example.org/{",
        "javascript:alert({path})",
    ],
)
def test_load_unusable_template_refused(monkeypatch: pytest.MonkeyPatch, template: str) -> None:
    monkeypatch.setenv("ZP_SOURCE_URL_TEMPLATE", template)
    with pytest.raises(SettingsError, match="ZP_SOURCE_URL_TEMPLATE"):
        ServingSettings.load()
