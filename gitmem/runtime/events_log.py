"""The events as a file: ``.git/gitmem/events.jsonl``, one JSON object a line, oldest first.

Kept are 90 days and 50 MB. Whoever adds or cuts holds a lock, so that nothing that another process adds is lost.
"""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from gitmem.json_form import to_json
from gitmem.store.state_files import write_state

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from gitmem.runtime.events import Event

FILE = "events.jsonl"
LOCK = "events.jsonl.lock"
MOST_BYTES = 50_000_000
KEPT = timedelta(days=90)

_BYTES_AFTER_A_CUT = MOST_BYTES * 9 // 10
_SLACK = timedelta(days=1)
"""How much older than ``KEPT`` the first line gets before the file is cut: once a day, not with every event."""

_LOCK_SECONDS = 2.0


class EventsLog:
    """The file of a memory's events, as a subscriber of the bus."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is the memory's runtime folder."""
        self._path = folder / FILE
        self._lock = folder / LOCK

    def __call__(self, event: Event) -> None:
        """Add an event. Raises ``OSError``, and ``filelock.Timeout`` (an ``OSError``) when the file stays locked."""
        fields = to_json(event)
        line = json.dumps({"event": event.name, **(fields if isinstance(fields, dict) else {})}).encode() + b"\n"
        with self._alone():
            if self._is_due(datetime.fromisoformat(event.at), len(line)):
                self._cut(datetime.fromisoformat(event.at))
            self._append(line)

    def trim(self, now: datetime) -> bool:
        """Cut off what is too old or too much; whether anything was. Raises as adding an event does."""
        if not self._path.exists():
            return False
        with self._alone():
            before = self._path.stat().st_size
            if self._is_due(now, 0):
                self._cut(now)
            return self._path.stat().st_size != before

    def mend(self, now: datetime) -> int:
        """Cut lines that are no events; how many there were. Raises as adding an event does."""
        if not self._path.exists():
            return 0
        with self._alone():
            wrong = sum(_at(line) is None for line in self._path.read_bytes().splitlines(keepends=True))
            if wrong:
                self._cut(now)
        return wrong

    def _alone(self) -> AbstractContextManager[object]:
        import filelock  # noqa: PLC0415  (only where something is written)

        return filelock.FileLock(self._lock, mode=0o600, fallback_to_soft=False).acquire(timeout=_LOCK_SECONDS)

    def _append(self, line: bytes) -> None:
        """Add one whole line; the half of one that a dying process left gets an end first."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "rb+", buffering=0) as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                line = line if file.read(1) == b"\n" else b"\n" + line
            _write(file.fileno(), line)

    def _is_due(self, now: datetime, growth: int) -> bool:
        try:
            with self._path.open("rb") as file:
                first, size = file.readline(), file.seek(0, os.SEEK_END)
        except FileNotFoundError:
            return False
        at = _at(first)
        return bool(size) and (size + growth > MOST_BYTES or at is None or at < now - KEPT - _SLACK)

    def _cut(self, now: datetime) -> None:
        """Keep the newest lines that are neither too old nor, together, too many bytes; what is no event goes."""
        kept: list[bytes] = []
        size = 0
        for line in reversed(self._path.read_bytes().splitlines(keepends=True)):
            at = _at(line)
            size += len(line)
            if size > _BYTES_AFTER_A_CUT:
                break
            if at is not None and at >= now - KEPT:
                kept.append(line)
        write_state(self._path, b"".join(reversed(kept)))


def _write(descriptor: int, data: bytes) -> None:
    while data:  # a short write is gone on with: the lock keeps others from coming between
        data = data[os.write(descriptor, data) :]


def _at(line: bytes) -> datetime | None:
    """When the event of a whole line was; ``None`` when it is none."""
    try:
        at = datetime.fromisoformat(json.loads(line)["at"]) if line.endswith(b"\n") else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return at if at is not None and at.tzinfo is not None else None
