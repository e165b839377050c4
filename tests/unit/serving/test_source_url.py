"""Links to the wiki: encoded segment by segment, null without a template."""

from urllib.parse import unquote, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from zp_serving.source_url import SourceLinks

BASE = "https://git.example.org/zpwiki"
LINKS = SourceLinks(f"{BASE}/src/commit/{{commit}}/{{path}}", "abc123", "master")


def test_url_without_template_is_none() -> None:
    assert SourceLinks("", "abc123", "master").url("a.md") is None


def test_url_non_ascii_path_encoded_by_segment() -> None:
    assert LINKS.url("práce/a b?#%.md") == (
        f"{BASE}/src/commit/abc123/pr%C3%A1ce/a%20b%3F%23%25.md"
    )


def test_url_braces_in_path_stay_text() -> None:
    assert LINKS.url("{commit}.md") == f"{BASE}/src/commit/abc123/%7Bcommit%7D.md"


def test_url_without_md_drops_only_the_ending() -> None:
    links = SourceLinks(f"{BASE}/{{branch}}/{{path_without_md}}", "abc123", "work/one")
    assert links.url("a.md/b.MD") == f"{BASE}/work/one/a.md/b"
    assert links.url("a.md/c.txt") == f"{BASE}/work/one/a.md/c.txt"


def test_url_escaped_byte_encoded_as_that_byte() -> None:
    assert LINKS.url("pr\\xe1ca.md") == f"{BASE}/src/commit/abc123/pr%E1ca.md"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\\"), min_size=1))
def test_url_any_path_can_be_read_back(path: str) -> None:
    url = LINKS.url(path)
    assert url is not None
    assert unquote(urlsplit(url).path) == f"/zpwiki/src/commit/abc123/{path}"
    assert not urlsplit(url).query
