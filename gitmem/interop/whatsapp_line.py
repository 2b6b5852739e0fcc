"""One line of a WhatsApp chat: whether it begins a message, when, and who sent it (``docs/ingest.md``, WhatsApp).

Android writes ``30/12/21, 22:01 - Ada: hello``, iOS ``[30/12/21, 22:01:05] Ada: hello``; the rest of both follows the
phone's language and region.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, time
from enum import StrEnum

MARK = "\u200e"
"""What WhatsApp on iOS puts before words of its own."""
MARKS = f"{MARK}\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
"""What it puts around names and lines so that they read in the right direction."""

_CENTURY = 2000
_YEAR_DIGITS = 4
_HALF_A_DAY = 12
_AFTERNOON = frozenset({"pm", "下午", "오후", "午後"})
_MAX_SENDER_CHARS = 120
"""A name is shorter; what is longer is a sentence that has a colon in it."""

_HEADER = re.compile(
    rf"[{MARKS}]*(?P<open>\[)?"
    r"(?P<first>\d{4}|\d{1,2})(?P<separator>[/.-])\s?(?P<second>\d{1,2})(?P=separator)\s?(?P<third>\d{4}|\d{1,2})\.?"
    r"(?:,\s?|\s)(?:(?:à|at|um)\s)?"
    r"(?P<early>上午|下午|오전|오후|午前|午後)?\s?"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<seconds>\d\d))?"
    r"(?:\s?(?P<late>[ap]\.?\s?m\.?)(?!\w))?"
    rf"(?(open)[{MARKS}]*\](?:\s|$)|\s[-\u2013]\s)",
    re.IGNORECASE,
)
_TIGHT_COLON = re.compile(r"(?<!\d):(?!//|$)|:(?![\d/]|$)")
_QUOTES = (('"', '"'), ("\u201c", "\u201d"), ("\u201e", "\u201c"), ("\u00ab", "\u00bb"))


class DateOrder(StrEnum):
    """Which number of a date is the day; the value is how reports say it."""

    DAY_FIRST = "day/month/year"
    MONTH_FIRST = "month/day/year"
    YEAR_FIRST = "year/month/day"


@dataclass(frozen=True, slots=True)
class Style:
    """What all messages of one export have in common: a line in another style is something that somebody typed."""

    bracketed: bool
    separator: str
    year_first: bool
    long_year: bool
    seconds: bool
    twelve_hours: bool


@dataclass(frozen=True, slots=True)
class Header:
    """The beginning of a message. ``numbers`` are the date's, in the order in which they stand, years with a century.

    ``clock`` is ``HH:MM`` or ``HH:MM:SS``, ``None`` for what no clock shows. ``rest`` is what follows: sender and text,
    or a notice.
    """

    style: Style
    numbers: tuple[int, int, int]
    clock: str | None
    rest: str

    def day(self, order: DateOrder) -> date | None:
        """The date, read in that order; ``None`` when no calendar has it."""
        first, second, third = self.numbers
        year, month, day = {
            DateOrder.DAY_FIRST: (third, second, first),
            DateOrder.MONTH_FIRST: (third, first, second),
            DateOrder.YEAR_FIRST: (first, second, third),
        }[order]
        try:
            return date(year, month, day)
        except ValueError:
            return None


def parse_header(line: str) -> Header | None:
    """Read the beginning of a message; ``None`` for a line that begins none."""
    found = _HEADER.match(line)
    if found is None:
        return None
    first, second, third = (int(found[name]) for name in ("first", "second", "third"))
    year_first = len(found["first"]) == _YEAR_DIGITS
    long_year = year_first or len(found["third"]) == _YEAR_DIGITS
    late = found["late"]
    marker = re.sub(r"[.\s]", "", late).lower() if late else found["early"] or ""
    style = Style(
        bracketed=found["open"] is not None,
        separator=found["separator"],
        year_first=year_first,
        long_year=long_year,
        seconds=found["seconds"] is not None,
        twelve_hours=bool(marker),
    )
    numbers = (first, second, third if long_year else _CENTURY + third)
    return Header(style, numbers, _clock(found, marker), line[found.end() :])


def split_sender(rest: str) -> tuple[str | None, str]:
    """Take sender and text apart; the sender is ``None`` for a notice of WhatsApp's own.

    The first colon with a blank ends the name, else the first inside of the line that is neither a time's nor an
    address's. A quotation that is open there, as in ``Ada named it "a: b"``, and a very long name mean a notice.
    """
    name, colon, text = rest.partition(": ")
    if not colon:
        tight = _TIGHT_COLON.search(rest)
        if tight is None:
            return None, rest
        name, text = rest[: tight.start()], rest[tight.end() :]
    name = name.strip(f" \t\u00a0\u202f{MARKS}")
    if not name or len(name) > _MAX_SENDER_CHARS or _is_quoting(name):
        return None, rest
    return name, text


def _is_quoting(text: str) -> bool:
    return any(
        text.count(opened) % 2 if opened == closed else text.count(opened) > text.count(closed)
        for opened, closed in _QUOTES
    )


def _clock(found: re.Match[str], marker: str) -> str | None:
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "seconds"))
    if marker and hour <= _HALF_A_DAY:
        hour = hour % _HALF_A_DAY + (_HALF_A_DAY if marker in _AFTERNOON else 0)
    try:
        shown = time(hour, minute, second)
    except ValueError:
        return None
    return shown.isoformat("seconds" if found["seconds"] else "minutes")
