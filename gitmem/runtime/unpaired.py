"""How much may be archived of what people say whom nobody vouches for (``behaviours.md`` 8.22).

Anybody who can write to a bot could fill the memory's archive otherwise. What counts is kept in the runtime's folder,
under a lock, so that the limits hold over all processes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.store.state_files import read_state, write_state

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

FILE = "unpaired.json"
LOCK = "unpaired.json.lock"

MOST_AN_HOUR = 600
MOST_BYTES = 64 * 1024
"""Of one message."""
MOST_BYTES_IN_ALL = 64 * 1024 * 1024
MOST_IDENTITY_BYTES = 4 * 1024
"""Of a speaker's id and name together."""

_HOUR = 3600.0
_VERSION = 1
_LOCK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for one message: when it was taken, in seconds since 1970, and the message's bytes."""

    at: float
    size: int


class Quota:
    """The limits of one memory."""

    def __init__(self, folder: Path, archived: Callable[[], int]) -> None:
        """``folder`` is the runtime's; ``archived`` counts the bytes that are pending, for when the record is lost."""
        self._path, self._lock, self._archived = folder / FILE, folder / LOCK, archived

    def take(self, content: str, identity: str, now: float) -> Slot | None:
        """A slot for a message, or ``None`` when there is none for it; nothing is kept of a message without one."""
        size = len(content.encode("utf-8", "surrogatepass"))
        if not content.strip() or size > MOST_BYTES:
            return None
        if len(identity.encode("utf-8", "surrogatepass")) > MOST_IDENTITY_BYTES:
            return None
        with self._alone():
            times, total = self._load()
            recent = [time for time in times if abs(now - time) < _HOUR]  # clocks are read before the lock is held
            if len(recent) >= MOST_AN_HOUR or total + size > MOST_BYTES_IN_ALL:
                return None
            self._save([*recent, now], total + size)
        return Slot(now, size)

    def give_back(self, slot: Slot) -> None:
        """Free a slot whose message was not archived."""
        with self._alone():
            times, total = self._load()
            if slot.at in times:
                times.remove(slot.at)
            self._save(times, max(0, total - slot.size))

    def _alone(self) -> AbstractContextManager[object]:
        import filelock  # noqa: PLC0415  (only where something is written)

        return filelock.FileLock(self._lock, mode=0o600, fallback_to_soft=False).acquire(timeout=_LOCK_SECONDS)

    def _load(self) -> tuple[list[float], int]:
        try:
            found = json.loads(read_state(self._path) or b"{}")
            if found.get("version") == _VERSION:
                return [float(time) for time in found["times"]], int(found["bytes"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            pass  # as when there was none
        return [], self._archived()

    def _save(self, times: list[float], total: int) -> None:
        write_state(self._path, json.dumps({"version": _VERSION, "times": times, "bytes": total}).encode())
