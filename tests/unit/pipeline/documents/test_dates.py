"""Dates as people write them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.documents.dates import instants, iso_date
from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US

ZONE = ZoneInfo("Europe/Bratislava")


def microseconds(text: str) -> int:
    """Return an ISO time of UTC as microseconds."""
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return round(moment.timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("15.2.2021", "2021-02-15"),
        ("15. 2. 2021", "2021-02-15"),
        ("15.\u00a02.\u00a02021", "2021-02-15"),
        ("5.12.2021 9:05", "2021-12-05T09:05:00"),
        ("15-02-2021", "2021-02-15"),
        ("2021-02-15", "2021-02-15"),
        ("2021/2/5", "2021-02-05"),
        ("2021-02-15T10:00:00Z", "2021-02-15T10:00:00+00:00"),
        ("2021-02-15 10:00 +0200", "2021-02-15T10:00:00+02:00"),
        ("2021-02-15t10:00:01.5-01:30", "2021-02-15T10:00:01.500000-01:30"),
        ("2019", "2019"),
    ],
)
def test_iso_date_reads(written: str, iso: str) -> None:
    assert iso_date(written) == iso


@pytest.mark.parametrize(
    "written",
    ["", "31.2.2021", "2021-13-01", "02/15/2021", "15.2.", "včera", "2021-02-15T25:00", "20210215"]
    + ["٢٠٢١-٠٢-١٥", "2021-02-15 10:00 +99:00", "0000-01-01", "zima 2021", "2021-02/15"],
)
def test_iso_date_what_is_no_date_is_none(written: str) -> None:
    assert iso_date(written) is None
    assert instants(written, ZONE) is None


@pytest.mark.parametrize(
    ("written", "first", "past_last"),
    [
        ("2021-02-15", "2021-02-14T23:00", "2021-02-15T23:00"),
        ("28.3.2021", "2021-03-27T23:00", "2021-03-28T22:00"),
        ("2021-07-01 12:00", "2021-07-01T10:00", "2021-07-01T10:00"),
        ("2021-07-01T12:00+05:00", "2021-07-01T07:00", "2021-07-01T07:00"),
    ],
)
def test_instants_day_is_whole_and_time_is_a_point(
    written: str, first: str, past_last: str
) -> None:
    assert instants(written, ZONE) == (microseconds(first), microseconds(past_last))


@pytest.mark.parametrize("written", ["2019", "2021-02"])
def test_instants_without_a_day_is_none(written: str) -> None:
    assert instants(written, ZONE) is None


def test_instants_last_day_of_the_calendar_never_ends() -> None:
    read = instants("9999-12-31", ZONE)
    assert read is not None
    assert read[1] == ALWAYS_TO_US


@settings(deadline=None)
@given(st.datetimes() | st.datetimes(timezones=st.timezones()) | st.dates())
def test_instants_any_date_is_within_bounds(moment: object) -> None:
    read = instants(str(moment), ZONE)
    if read is not None:
        assert ALWAYS_FROM_US < read[0] <= read[1] <= ALWAYS_TO_US


@settings(deadline=None)
@given(st.text(alphabet="0123456789.-/:TZ+ ", max_size=25))
def test_dates_any_text_is_read_or_none(text: str) -> None:
    assert iso_date(text) is None or iso_date(iso_date(text) or "") == iso_date(text)
    instants(text, ZONE)
