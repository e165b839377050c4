"""Dates as people write them, in Slovak and in ISO, read into ISO text or into instants.

Belongs here: reading one date. Which dates bind whom: `rights`.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from zp_pipeline.shared.schema.rights import ALWAYS_TO_US

YEAR = re.compile(r"[0-9]{4}")
_TIME = (
    r"(?:(?:[ ]*T[ ]*|[ ]+)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]{1,9}))?)?"
    r"[ ]*(?P<offset>Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
ISO = re.compile(
    r"(?P<year>[0-9]{4})([-/])(?P<month>[0-9]{1,2})\2(?P<day>[0-9]{1,2})" + _TIME, re.I
)
# `15.2.2021`, `15. 2. 2021`, and Grav's default `15-02-2021`.
DAY_FIRST = re.compile(
    r"(?P<day>[0-9]{1,2})(?:\. ?|-)(?P<month>[0-9]{1,2})(?:\. ?|-)(?P<year>[0-9]{4})" + _TIME, re.I
)
EPOCH = datetime(1970, 1, 1)
MICROSECOND = timedelta(microseconds=1)


def iso_date(text: str) -> str | None:
    """Return `text` as ISO text of the same precision (year, day, time), None if it is no date."""
    text = " ".join(text.split())
    if YEAR.fullmatch(text):
        return text
    read = _read(text)
    return read.isoformat() if read else None


def instants(text: str, zone: ZoneInfo) -> tuple[int, int] | None:
    """Return first and past-the-last UTC microsecond; None if `text` names no day.

    A bare date covers its whole day in `zone`; a time, in `zone` when it has no offset, is one
    point, so both are equal.
    """
    read = _read(" ".join(text.split()))
    if isinstance(read, datetime):
        return _microseconds(read, zone), _microseconds(read, zone)
    return None if read is None else (_midnight(read, zone), _day_end(read, zone))


def _read(text: str) -> date | None:
    """Return a `date`, or a `datetime` when a time of the day is given."""
    match = ISO.fullmatch(text) or DAY_FIRST.fullmatch(text)
    if match is None:
        return None
    try:
        day = date(int(match["year"]), int(match["month"]), int(match["day"]))
        return day if match["hour"] is None else datetime.combine(day, _time(match))
    except ValueError:  # such as 31.2.2021
        return None


def _time(match: re.Match[str]) -> time:
    fraction = int((match["fraction"] or "0").ljust(6, "0")[:6])
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    return time(hour, minute, second, fraction, tzinfo=_offset(match["offset"]))


def _offset(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text in "Zz":
        return UTC
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or 0)
    size = timedelta(hours=hours, minutes=minutes)
    return timezone(-size if text[0] == "-" else size)


def _microseconds(moment: datetime, zone: ZoneInfo) -> int:
    """Return UTC microseconds, by integers, since dates at the edge of the calendar overflow."""
    offset = moment.utcoffset() if moment.tzinfo else moment.replace(tzinfo=zone).utcoffset()
    return (moment.replace(tzinfo=None) - EPOCH - (offset or timedelta())) // MICROSECOND


def _midnight(day: date, zone: ZoneInfo) -> int:
    return _microseconds(datetime.combine(day, time()), zone)


def _day_end(day: date, zone: ZoneInfo) -> int:
    if day == date.max:
        return ALWAYS_TO_US
    return _midnight(day + timedelta(days=1), zone)
