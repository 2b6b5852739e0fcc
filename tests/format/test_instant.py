"""The moment a timestamp names (behaviours.md 0.29)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.instant import Instant, instant

NOON = 1_786_276_800  # 2026-08-09T12:00:00Z


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        ("2026-08-09T12:00:00Z", Instant(NOON, 0)),
        ("2026-08-09T20:00:00+08:00", Instant(NOON, 480)),
        ("2026-08-09 20:00:00.999+0800", Instant(NOON, 480)),
        ("2026-08-09T11:30:00-00:30", Instant(NOON, -30)),
        ("2026-08-09T12:00", Instant(NOON, 0)),
        (" 2026-08-09 ", Instant(NOON - 12 * 3600, 0)),
        (str(NOON), Instant(NOON, 0)),
        (f"{NOON}.75", Instant(NOON, 0)),
        ("1969-12-31T23:59:59.5Z", Instant(-1, 0)),
    ],
)
def test_iso_times_and_unix_seconds_are_read(timestamp: str, expected: Instant) -> None:
    assert instant(timestamp) == expected


@pytest.mark.parametrize(
    "timestamp",
    [
        None,
        "",
        "undated",
        "yesterday",
        "2026",
        "2026-08",
        "20260809",
        "2026-02-30",
        "2026-08-09T25:00",
        "2026-08-09T12:00:00+24:00",
        "12345678",
        "1786276800000",
        "2026-W01-1",
        "٢٠٢٦-٠٨-٠٩",
        "0000-01-01",
    ],
)
def test_anything_else_is_no_moment(timestamp: str | None) -> None:
    assert instant(timestamp) is None


@given(
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)).map(lambda when: when.replace(fold=0)),  # noqa: DTZ001  (the zone is drawn apart)
    st.integers(-1439, 1439),
)
def test_every_calendar_time_is_read_as_python_reads_it(local: datetime, offset: int) -> None:
    when = local.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=offset)))
    seconds = (when - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    assert instant(when.isoformat()) == Instant(seconds, offset)
