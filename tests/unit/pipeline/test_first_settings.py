"""The first `.env`: keys that the service takes, for the owner's eyes, never written twice."""

from pathlib import Path

import pytest
from dotenv import dotenv_values

from zp_pipeline.first_settings import KEYS, write_first_settings
from zp_serving.settings import MIN_SECRET_CHARACTERS, ServingSettings


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / ".env"
    write_first_settings(path)
    return path


def test_write_new_file_only_the_owner_may_read_it(written: Path) -> None:
    assert written.stat().st_mode & 0o777 == 0o600


def test_write_new_file_keys_are_long_and_distinct(written: Path) -> None:
    keys = dotenv_values(written)
    assert set(keys) == set(KEYS)
    assert len(set(keys.values())) == len(KEYS)
    assert min(len(str(key)) for key in keys.values()) >= MIN_SECRET_CHARACTERS


def test_write_two_homes_keys_differ(written: Path, tmp_path: Path) -> None:
    write_first_settings(tmp_path / "other")
    others = dotenv_values(tmp_path / "other").values()
    assert set(dotenv_values(written).values()).isdisjoint(others)


def test_write_new_file_the_service_takes_it(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(written.parent)
    key = ServingSettings.load().service_key.get_secret_value()
    assert key == dotenv_values(written)["SEARCH_API_KEY"]


def test_write_existing_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("ZP_WIKI_BRANCH=main\n")
    path.chmod(0o640)
    write_first_settings(path)
    assert path.read_text() == "ZP_WIKI_BRANCH=main\n"
    assert path.stat().st_mode & 0o777 == 0o640
