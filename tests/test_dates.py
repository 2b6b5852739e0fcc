"""Dates in words: which local day, month or moment a text means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from gitmem.dates import period, read_phrase

NOW = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-08-09", "2026-08-09", "2026-08-09"),
        ("20260809", "2026-08-09", "2026-08-09"),
        ("2026/08/09", "2026-08-09", "2026-08-09"),
        (" 2026-08-09 ", "2026-08-09", "2026-08-09"),
        ("2026-02", "2026-02-01", "2026-02-28"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("yesterday", "2026-08-11", "2026-08-11"),
        ("Yesterday", "2026-08-11", "2026-08-11"),
        ("today", "2026-08-12", "2026-08-12"),
        ("last friday", "2026-08-07", "2026-08-07"),
        ("friday", "2026-08-07", "2026-08-07"),
        ("wednesday", "2026-08-05", "2026-08-05"),
        ("3 days ago", "2026-08-09", "2026-08-09"),
        ("a month ago", "2026-07-12", "2026-07-12"),
        ("last week", "2026-08-03", "2026-08-09"),
        ("last month", "2026-07-01", "2026-07-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("9 August", "2026-08-09", "2026-08-09"),
        ("Aug 13", "2025-08-13", "2025-08-13"),
        ("February 2024", "2024-02-01", "2024-02-29"),
    ],
)
def test_a_text_names_whole_local_days(text: str, first: str, last: str) -> None:
    found = period(text, NOW)
    assert found is not None
    assert found.start.isoformat() == f"{first}T00:00:00+00:00"
    assert found.end.isoformat() == f"{last}T23:59:59.999999+00:00"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-08-09T10:00:00Z", "2026-08-09T10:00:00+00:00"),
        ("2026-08-09 10:00", "2026-08-09T10:00:00+00:00"),
        ("2026-08-09T10:00+02:00", "2026-08-09T10:00:00+02:00"),
    ],
)
def test_a_time_of_day_names_a_moment(text: str, moment: str) -> None:
    found = period(text, NOW)
    assert found is not None
    assert found.start.isoformat() == found.end.isoformat() == moment


@pytest.mark.parametrize(
    "text",
    [
        *("", "main", "HEAD~2", "foo", "12", "3", "2026-13-01", "2026-02-30", "2026-13", "0000", "2026-08/09"),
        *("2026-08-09T25:00", "topics/people/ada.md", "abc1234", "5e3d", "9999999", "^f888f60e", "x" * 61, "v1.0"),
    ],
)
def test_other_texts_are_no_dates(text: str) -> None:
    assert period(text, NOW) is None


def test_a_day_is_a_day_where_the_caller_is() -> None:
    found = period("yesterday", NOW.astimezone(timezone(timedelta(hours=10))))
    assert found is not None
    assert found.end.isoformat() == "2026-08-12T23:59:59.999999+10:00"


def test_summer_time_counts_on_the_day_that_is_named() -> None:
    found = period("2026-08-09", datetime(2026, 12, 1, 12, tzinfo=ZoneInfo("Europe/Berlin")))
    assert found is not None
    assert found.start.isoformat() == "2026-08-09T00:00:00+02:00"


def test_a_day_out_of_the_calendar_is_none() -> None:
    assert read_phrase("friday", datetime(1, 1, 1), "past") is None  # noqa: DTZ001  (dateparser's base)
