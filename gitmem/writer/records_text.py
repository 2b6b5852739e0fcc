"""Records as an agent reads them: one JSON object a line under the day it was said (``behaviours.md`` 8.5, 10.7)."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING

from gitmem.format.instant import instant
from gitmem.format.speaker import speaker_label
from gitmem.writer.dates import message_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, tzinfo

    from gitmem.writer.base import BatchTurn

_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What JSON leaves as it is and something may take for a line end, or cannot encode."""

_WITH_OFFSET = re.compile(r"[0-9.]+|.*(?:[Zz]|:\d\d(?:[.,]\d+)?[+-]\d\d:?\d\d)", re.ASCII)
"""A timestamp that names a moment everywhere: Unix seconds, or a time with its offset."""


def json_line(value: object) -> str:
    """Compact JSON that no renderer shows as more than one line, whatever its strings hold."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def record_line(turn: BatchTurn) -> str:
    """One record; ``speaker`` is the label that its archive shows (8.2), and only it says who spoke (8.1)."""
    speaker = speaker_label(turn.speaker_display, turn.speaker_id, turn.role)
    return json_line({"ref": turn.handle, "speaker": speaker, "content": turn.content})


def records_text(turns: Iterable[BatchTurn], zone: tzinfo | None = None) -> str:
    """The records in their order, under a heading for each run of one day; dates are those of ``zone`` (0.29)."""
    return "\n\n".join(_days(turns, zone))


def _days(turns: Iterable[BatchTurn], zone: tzinfo | None) -> Iterator[str]:
    for day, said in groupby(turns, lambda turn: observed_on(turn.timestamp, zone)):
        heading = "at an unknown time" if day is None else day.isoformat()
        yield "\n".join((f"## Observed {heading}", "", *(record_line(turn) for turn in said)))


def observed_on(timestamp: str | None, zone: tzinfo | None = None) -> date | None:
    """The day of a message, where ``zone`` is (``None``: this machine's); one without an offset keeps its own date."""
    text = (timestamp or "").strip()
    moment = instant(text) if _WITH_OFFSET.fullmatch(text) else None
    if moment is not None:
        try:
            return datetime.fromtimestamp(moment.seconds, UTC).astimezone(zone).date()
        except (OverflowError, OSError):  # the first and the last day of the calendar, seen from elsewhere
            pass
    return message_date(timestamp)
