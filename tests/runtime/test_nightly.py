"""Which night it is, and when the watcher looks (`behaviours.md` part 10, triggers)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.runtime.nightly import is_due, night_of, seconds_until
from gitmem.runtime.schedule import moments

ATHENS = ZoneInfo("Europe/Athens")  # the clock skips from 3:00 to 4:00, and goes back from 4:00 to 3:00
ZONES = ("Europe/Athens", "Europe/Zurich", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "Africa/Cairo")


@pytest.mark.parametrize(
    ("wall", "night"),
    [
        ("2026-08-10T02:59:59", "2026-08-09"),
        ("2026-08-10T03:00:00", "2026-08-10"),
        ("2026-08-10T23:59:59", "2026-08-10"),
        ("2026-08-11T00:00:00", "2026-08-10"),
        ("2026-01-01T01:00:00", "2025-12-31"),
    ],
)
def test_a_night_begins_at_three(wall: str, night: str) -> None:
    assert night_of(datetime.fromisoformat(wall).replace(tzinfo=UTC)) == date.fromisoformat(night)


def passes(zone: str, begin: datetime, hours: int, *, every: timedelta = timedelta(minutes=5)) -> list[datetime]:
    """When a watcher that looks regularly has its nightly passes, in the zone's local time."""
    local, last, found = ZoneInfo(zone), None, []
    for number in range(int(timedelta(hours=hours) / every)):
        now = (begin + number * every).astimezone(local)
        night = night_of(now)
        last = last or night
        if is_due(night, last):
            last = night
            found.append(now)
    return found


def test_a_night_without_three_has_its_pass() -> None:
    begin = datetime(2026, 3, 28, 20, tzinfo=ATHENS).astimezone(UTC)
    assert [f"{at:%d %H:%M}" for at in passes("Europe/Athens", begin, 34)] == ["29 04:00", "30 03:00"]


def test_a_night_that_strikes_three_twice_has_one_pass() -> None:
    begin = datetime(2026, 10, 24, 20, tzinfo=ATHENS).astimezone(UTC)
    assert [f"{at:%d %H:%M}" for at in passes("Europe/Athens", begin, 34)] == ["25 03:00", "26 03:00"]


@given(st.sampled_from(ZONES), st.integers(0, 365 * 24))
def test_every_night_has_one_pass_wherever_it_is(zone: str, hour: int) -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
    found = passes(zone, begin, 24 * 4, every=timedelta(minutes=15))
    nights = [at.date() for at in found]
    assert nights == sorted(set(nights))
    assert len(nights) in {3, 4, 5}
    assert all(time(3) <= at.time() <= time(4) for at in found)


def test_nights_that_a_sleeping_machine_missed_are_one_pass() -> None:
    assert is_due(date(2026, 8, 10), date(2026, 8, 6))
    assert not is_due(date(2026, 8, 10), date(2026, 8, 10))


def test_a_clock_that_was_wrong_does_not_end_the_nights() -> None:
    assert is_due(date(2026, 8, 10), date(2099, 1, 1))
    assert not is_due(date(2026, 8, 10), date(2026, 8, 11))


@pytest.mark.parametrize(
    ("wall", "seconds"),
    [("2026-08-10T02:59:30", 30), ("2026-08-10T03:00:00", 86_400), ("2026-08-10T04:00:00", 82_800)],
)
def test_the_next_three_is_known(wall: str, seconds: float) -> None:
    assert seconds_until(datetime.fromisoformat(wall).replace(tzinfo=ATHENS)) == seconds


def test_the_watcher_looks_at_once_then_every_five_minutes_and_at_three() -> None:
    clock = [datetime(2026, 8, 10, 2, 51, tzinfo=UTC)]

    def sleep(seconds: float) -> None:
        clock.append(clock[-1] + timedelta(seconds=seconds))

    looks = islice(moments(lambda: clock[-1], sleep), 5)
    assert [f"{at:%H:%M}" for at in looks] == ["02:51", "02:56", "03:00", "03:05", "03:10"]


def test_the_five_minutes_begin_when_a_look_is_over() -> None:
    clock = [datetime(2026, 8, 10, 12, tzinfo=UTC)]
    looks = moments(lambda: clock[-1], lambda seconds: clock.append(clock[-1] + timedelta(seconds=seconds)))
    next(looks)
    clock.append(clock[-1] + timedelta(hours=1))
    assert f"{next(looks):%H:%M}" == "13:05"
