"""What the watcher remembers between looks, in ``.git/gitmem/watch.json`` (``behaviours.md`` 10.10)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from gitmem.errors import Code, Unavailable
from gitmem.store.state_files import read_state, write_state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.conversations.model import Session

FILE = "watch.json"
VERSION = 1


def heads_of(session: Session) -> str:
    """One word for where every branch of a conversation ends: another word means that it grew."""
    heads = "".join(f"{branch.head} {branch.name}\n" for branch in session.branches)
    return hashlib.sha256(heads.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(slots=True)
class WatchState:
    """What is known of the conversations, by ``provider/thread``, and of the nights.

    ``handled``: the heads that need nothing more. ``seen``: heads without a time that counts, and the Unix second in
    which they were first seen. ``failed``: how often a conversation failed in a way that may pass. ``forced`` and
    ``night``: the last nights whose conversations were written, and whose pass is over; ``tries`` of the one after.
    """

    handled: dict[str, str] = field(default_factory=dict)
    seen: dict[str, tuple[str, int]] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    forced: date | None = None
    night: date | None = None
    tries: int = 0

    def first_seen(self, name: str, heads: str, now: int) -> int:
        """When these heads were first seen: now, if they never were."""
        known, at = self.seen.get(name, ("", now))
        if known != heads or at > now:
            at = now
        self.seen[name] = heads, at
        return at

    def settle(self, name: str, heads: str) -> None:
        """The conversation needs nothing more until it grows."""
        self.handled[name] = heads
        self.seen.pop(name, None)
        self.failed.pop(name, None)

    def keep(self, names: set[str]) -> None:
        """Forget conversations that are not there any more."""
        for known in (self.handled, self.seen, self.failed):
            for name in known.keys() - names:
                del known[name]


def load(folder: Path) -> WatchState:
    """What was saved in the memory's runtime folder; a new state where nothing was.

    Raises ``Unavailable`` (``STORAGE_UNAVAILABLE``) for a file that cannot be read or is not of this version: taking it
    for empty would repeat calls that were paid for, and write over it.
    """
    try:
        data = read_state(folder / FILE)
        return WatchState() if data is None else _parse(json.loads(data))
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        message = (
            f"{FILE} in the memory's git directory cannot be read ({type(error).__name__}), so that nobody knows which "
            "conversations were handled; put a copy back, or delete it and have every conversation looked at again"
        )
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message, details={"file": FILE}) from error


def save(folder: Path, state: WatchState) -> None:
    """Save it in one step. Raises ``OSError``; the file is then what it was."""
    values = {
        "version": VERSION,
        "forced": None if state.forced is None else state.forced.isoformat(),
        "night": None if state.night is None else state.night.isoformat(),
        "tries": state.tries,
        "failed": state.failed,
        "seen": state.seen,
        "handled": state.handled,
    }
    write_state(folder / FILE, json.dumps(values).encode() + b"\n")


def _parse(found: dict[str, object]) -> WatchState:
    if found["version"] != VERSION:
        message = "another version"
        raise ValueError(message)
    tries = found["tries"]
    return WatchState(
        handled={_text(name): _text(heads) for name, heads in _items(found["handled"])},
        seen={_text(name): _seen(value) for name, value in _items(found["seen"])},
        failed={_text(name): _number(count) for name, count in _items(found["failed"])},
        forced=_date(found["forced"]),
        night=_date(found["night"]),
        tries=_number(tries),
    )


def _items(value: object) -> list[tuple[object, object]]:
    if not isinstance(value, dict):
        raise TypeError
    return list(value.items())


def _seen(value: object) -> tuple[str, int]:
    if not isinstance(value, list):
        raise TypeError
    heads, at = value
    return _text(heads), _number(at)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _date(value: object) -> date | None:
    return None if value is None else date.fromisoformat(_text(value))
