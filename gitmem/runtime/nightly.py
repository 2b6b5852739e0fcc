"""Which night it is: the pass of a night is due from 03:00 local time on, once (``behaviours.md`` part 10, triggers).

Only what a clock on the wall shows counts. So a night in which the clock skips three still has its pass, one in which
it strikes three twice has one, and a night that a sleeping machine missed is made up for when it wakes.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

HOUR = time(3)
TRIES = 12
"""How often a pass is tried, from look to look, after failures that may pass by themselves; then the next night is."""

_DAY = timedelta(days=1)


def night_of(local: datetime) -> date:
    """The date of the last 03:00 on the wall; ``local`` is in local time."""
    return local.date() if local.time() >= HOUR else local.date() - _DAY


def is_due(night: date, last: date) -> bool:
    """Whether a night has not had its pass; ``last`` is the last night that had.

    One that lies more than a day ahead was written by a clock that was wrong, and does not count.
    """
    return night > last or last > night + _DAY


def seconds_until(local: datetime) -> float:
    """How long it is to the next 03:00 by the wall; wrong by the hour that the clock may be changed by meanwhile."""
    wall = local.replace(tzinfo=None)
    three = datetime.combine(wall.date(), HOUR)
    return ((three if three > wall else three + _DAY) - wall).total_seconds()
