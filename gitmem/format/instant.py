"""The moment that a message's timestamp names (``behaviours.md`` 0.29); it is stored as given, and read here."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Spelled out rather than left to ``fromisoformat``, which reads more with every release: what a timestamp means
# decides a turn's commit id, on every machine.
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?"
    r"(?:[Zz]|([+-])(\d\d):?(\d\d))?)?",
    re.ASCII,
)
_UNIX = re.compile(r"(\d{9,11})(?:\.\d+)?", re.ASCII)


class Instant(NamedTuple):
    """Whole seconds since 1970 in UTC, and the offset the timestamp was written with, in minutes east."""

    seconds: int
    offset: int


@lru_cache(maxsize=1024)
def instant(timestamp: str | None) -> Instant | None:
    """Read an ISO date or time, or Unix seconds (9 to 11 digits); without an offset it is UTC, a date its midnight.

    ``None`` for anything else, and for values that no calendar has.
    """
    text = (timestamp or "").strip()
    if found := _UNIX.fullmatch(text):
        return Instant(int(found[1]), 0)
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    minutes = int(found[8]) * 60 + int(found[9]) if found[7] else 0
    offset = -minutes if found[7] == "-" else minutes
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        zone = timezone(timedelta(minutes=offset))
        local = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
    return Instant((local - _EPOCH) // timedelta(seconds=1), offset)
