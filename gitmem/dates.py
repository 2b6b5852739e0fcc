"""Dates that people write in words: the only importer of dateparser.

The library's own clock, locale and time zone are never asked, so the same words and the same base give the same day
everywhere.
"""

from __future__ import annotations

import re
import warnings
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?", re.ASCII)
_CALENDAR = re.compile(r"(\d{4})(?:([-/]?)(\d\d)(?:\2(\d\d))?)?", re.ASCII)
_WORDS = re.compile(r"(?=.*[^\W\d_])[\w ,.:'-]{3,60}")
_HEXADECIMAL = re.compile(r"[0-9a-f]{4,}")
"""What is the start of an object's id much sooner than a date."""


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of local time, both ends included and aware; for a time of day both are that moment."""

    start: datetime
    end: datetime


def period(text: str, now: datetime) -> Period | None:
    """The local day (or month, or year, or moment) that a text names, seen from the aware moment ``now``.

    Takes ``YYYY[-MM[-DD]]``, an ISO time, and English words such as ``yesterday``, ``last friday``, ``9 August`` or
    ``3 weeks ago``; of a weekday or a day without a year the last one is meant. ``None`` for anything else.
    """
    text = text.strip()
    if _MOMENT.fullmatch(text):
        return _moment(text, now)
    found = _CALENDAR.fullmatch(text)
    days = _calendar(*found.group(1, 3, 4)) if found else _in_words(text, now)
    if days is None:
        return None
    first, last = days
    return Period(_local(datetime.combine(first, time.min), now), _local(datetime.combine(last, time.max), now))


@lru_cache(maxsize=4096)
def read_phrase(phrase: str, base: datetime, prefer: str, day_of_month: str = "first") -> tuple[date, str] | None:
    """The day that an English phrase names, and how long it is: ``day``, ``week``, ``month`` or ``year``.

    ``base`` is the naive moment that it is seen from; ``prefer`` (``past`` or ``future``) completes what is open;
    ``day_of_month`` (``first`` or ``current``) what names no day.
    """
    from dateparser.date import DateDataParser  # noqa: PLC0415  (0.2 s that most runs do not need)

    settings = {
        "RELATIVE_BASE": base,
        "PREFER_DATES_FROM": prefer,
        "PREFER_DAY_OF_MONTH": day_of_month,
        "TIMEZONE": "UTC",
        "RETURN_AS_TIMEZONE_AWARE": False,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the library's parsing without a year, which it is told how to complete
        try:
            data = DateDataParser(languages=["en"], settings=settings).get_date_data(phrase)
        except (ValueError, OverflowError):  # a day out of the calendar's range
            return None
    found = data.date_obj
    return None if found is None else (found.date(), str(data.period))


def _moment(text: str, now: datetime) -> Period | None:
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = read if read.tzinfo else _local(read, now)
    return Period(moment, moment)


def _calendar(year: str, month: str | None, day: str | None) -> tuple[date, date] | None:
    try:
        if month is None:
            return date(int(year), 1, 1), date(int(year), 12, 31)
        if day is None:
            return date(int(year), int(month), 1), _last_of_month(date(int(year), int(month), 1))
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found, found


def _in_words(text: str, now: datetime) -> tuple[date, date] | None:
    if not _WORDS.fullmatch(text) or (_HEXADECIMAL.fullmatch(text) and any(map(str.isdigit, text))):
        return None
    read = read_phrase(text.lower(), now.replace(tzinfo=None), "past", "current")
    if read is None:
        return None
    day, length = read
    if " ago" in text.lower():  # a distance, however coarse, leads to a day
        return day, day
    return {"week": _week, "month": _month, "year": _year}.get(length, _day)(day)


def _day(day: date) -> tuple[date, date]:
    return day, day


def _week(day: date) -> tuple[date, date]:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def _month(day: date) -> tuple[date, date]:
    return day.replace(day=1), _last_of_month(day)


def _year(day: date) -> tuple[date, date]:
    return date(day.year, 1, 1), date(day.year, 12, 31)


def _last_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _local(naive: datetime, now: datetime) -> datetime:
    """A wall-clock time where ``now`` was told; a fixed offset that is the system's follows its summer time."""
    if isinstance(now.tzinfo, timezone) and now.utcoffset() == now.astimezone().utcoffset():
        return naive.astimezone()
    return naive.replace(tzinfo=now.tzinfo)
