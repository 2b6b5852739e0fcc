"""What a whole WhatsApp chat shows of how it is written: its style, and whether the day or the month comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.interop.whatsapp_line import DateOrder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from gitmem.interop.whatsapp_line import Header, Style


@dataclass(frozen=True, slots=True)
class Survey:
    """How to read a chat; ``assumed``: its dates fit both orders, and mean different days."""

    style: Style
    order: DateOrder
    assumed: bool = False


class _Tally:
    """How badly the dates of a chat fit one order."""

    def __init__(self, order: DateOrder) -> None:
        self.order = order
        self._impossible = 0
        self._steps_back = 0
        self._latest: tuple[date, str] | None = None

    def count(self, header: Header) -> None:
        day = header.day(self.order)
        if day is None:
            self._impossible += 1
        elif header.clock is not None:
            moment = day, header.clock
            self._steps_back += self._latest is not None and moment < self._latest
            self._latest = moment

    @property
    def faults(self) -> tuple[int, int]:
        """Dates that no calendar has weigh more than messages that are older than the one before."""
        return self._impossible, self._steps_back


def survey_of(headers: Iterable[Header]) -> Survey | None:
    """Look through the beginnings of all messages; ``None`` when there is none.

    The style is that of the first. Of two orders the one with fewer impossible dates is right, then the one in which
    time goes forward; where both fit, ``order`` is what the style suggests.
    """
    style: Style | None = None
    day_first, month_first = _Tally(DateOrder.DAY_FIRST), _Tally(DateOrder.MONTH_FIRST)
    differ = False
    for header in headers:
        style = style or header.style
        if header.style != style:
            continue
        if style.year_first:
            return Survey(style, DateOrder.YEAR_FIRST)
        day_first.count(header)
        month_first.count(header)
        differ = differ or header.numbers[0] != header.numbers[1]
    if style is None:
        return None
    if day_first.faults == month_first.faults:
        return Survey(style, _usual(style), assumed=differ)
    return Survey(style, min(day_first, month_first, key=lambda tally: tally.faults).order)


def _usual(style: Style) -> DateOrder:
    """Twelve hours and slashes are written where the month comes first; nearly everybody else begins with the day."""
    return DateOrder.MONTH_FIRST if style.twelve_hours and style.separator == "/" else DateOrder.DAY_FIRST
