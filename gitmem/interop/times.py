"""When something was said, where a file may say it badly."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeGuard

from gitmem.format.instant import instant
from gitmem.interop.reading import Fault, Unreadable

if TYPE_CHECKING:
    from gitmem.interop.reading import Place, ReadError

_LAST_SECOND = 253_402_300_799  # the end of the year 9999, the last that ISO dates and calendars hold


def time_or_problem(value: object, place: Place) -> tuple[str | None, ReadError | None]:
    """Read a time as ``time_of`` does. One that is none costs only itself: what was said matters more than when."""
    try:
        return time_of(value), None
    except Unreadable as error:
        return None, place.error(error.code, f"{error}; the turn is kept without a time")


def time_of(value: object) -> str | None:
    """Read a time: Unix seconds become ISO in UTC, ISO times and dates stay as given (10.7, 0.29).

    Raises ``Unreadable`` for anything else.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return _stated(value)
    if not _is_number(value) or not -_LAST_SECOND < value <= _LAST_SECOND:
        raise Unreadable(Fault.BAD_TIME, f"{str(value)[:40]} is not a time in Unix seconds")
    try:
        return datetime.fromtimestamp(value, UTC).isoformat()
    except (OverflowError, OSError, ValueError) as error:
        raise Unreadable(Fault.BAD_TIME, f"{str(value)[:40]} is not a time in Unix seconds") from error


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _stated(text: str) -> str:
    """Keep a time that can be read as it was written; Unix seconds may be a text too."""
    kept = text.strip()
    if instant(kept) is None:
        raise Unreadable(Fault.BAD_TIME, f"{text[:40]!r} is not an ISO date or time, nor Unix seconds")
    return kept if "-" in kept else str(time_of(float(kept)))
