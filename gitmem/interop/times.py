"""When something was said, where a file may say it badly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.interop.reading import Unreadable, time_of

if TYPE_CHECKING:
    from gitmem.interop.reading import Place, ReadError


def time_or_problem(value: object, place: Place) -> tuple[str | None, ReadError | None]:
    """Read a time as ``time_of`` does. One that is none costs only itself: what was said matters more than when."""
    try:
        return time_of(value), None
    except Unreadable as error:
        return None, place.error(error.code, f"{error}; the turn is kept without a time")
