"""The runtime's own small files, set aside where a bad disk left them unreadable (``cli.md``, ``doctor``)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gitmem.runtime.actions import ActionAnswer
from gitmem.runtime.events_log import FILE as EVENTS
from gitmem.runtime.events_log import EventsLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

_COSTS = {
    "status.json": "the writer's last outcome is unknown",
    "watch.json": "every conversation is looked at once more",
    "backfill.json": "messages that no topic cites are read once more",
}


def mend_state(folder: Path, now: datetime) -> Iterator[ActionAnswer]:
    """Set aside every JSON file of ``.git/gitmem`` that is none, and cut what is no event from the events.

    A file of another version is left to whoever understands it. Raises ``OSError``.
    """
    for path in sorted(folder.glob("*.json")):
        if not _is_whole(path.read_bytes()):
            path.replace(path.with_name(f"{path.name}.broken"))
            cost = _COSTS.get(path.name, "it is made anew")
            yield ActionAnswer(
                "set aside", path.name, f"it could not be read, and is kept as {path.name}.broken; {cost}"
            )
    lines = EventsLog(folder).mend(now)
    if lines:
        yield ActionAnswer("cut", EVENTS, f"{lines} of its lines were no events")


def _is_whole(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict)
    except (ValueError, RecursionError):
        return False
