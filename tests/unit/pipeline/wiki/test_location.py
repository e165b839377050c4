"""Locations of repositories: folders, URLs, and what of them may be shown."""

from pathlib import Path

import pytest

from zp_pipeline.shared.errors import WikiError
from zp_pipeline.wiki.location import Location, without_credentials


@pytest.mark.parametrize(
    ("secret", "shown"),
    [
        ("https://anna:s3cr3t@git.example.org/w.git", "https://git.example.org/w.git"),
        ("https://token@git.example.org/w.git", "https://git.example.org/w.git"),
        ("https://git.example.org/w?private_token=s3cr3t", "https://git.example.org/w"),
        ("git@git.example.org:w.git", "git@git.example.org:w.git"),
    ],
)
def test_parse_url_shows_no_credentials(secret: str, shown: str) -> None:
    location = Location.parse(secret)
    assert (location.secret_url, location.url, location.folder) == (secret, shown, None)


def test_parse_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wiki").mkdir()
    monkeypatch.chdir(tmp_path)
    locations = [Location.parse(url) for url in ("wiki", "./wiki", f"file://{tmp_path}/wiki")]
    assert {location.folder for location in locations} == {tmp_path / "wiki"}
    assert {location.url for location in locations} == {str(tmp_path / "wiki")}


@pytest.mark.parametrize("url", ["nothing/here", "/nothing", "file:///nothing"])
def test_parse_missing_folder_is_refused(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WikiError, match="no repository"):
        Location.parse(url)


def test_without_credentials_cleans_urls_within_a_message() -> None:
    message = "fatal: Authentication failed for 'https://anna:s3cr3t@host/w?token=abc'; bye"
    cleaned = without_credentials(message)
    assert cleaned == "fatal: Authentication failed for 'https://host/w'; bye"
