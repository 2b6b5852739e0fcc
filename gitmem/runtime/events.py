"""What happened in the background, told to whoever listens (``behaviours.md`` 10.9).

Events hold names, times, numbers and codes of the closed list: no text of a conversation, of a prompt or of an
exception, and no key (12.3).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG = logging.getLogger("gitmem.events")
_LOG.addHandler(logging.NullHandler())  # a host that wants to hear of it says so; nothing is printed otherwise


@dataclass(frozen=True, slots=True)
class IngestEnded:
    """A writer is done with a conversation for now.

    ``at`` is ISO time with offset. ``turns`` and ``claims`` were written, in the memory commit ``revision``. ``ok``:
    nothing that was due is left. Otherwise ``reason_code`` says why, and ``retryable`` whether it is tried again by
    itself: if not, the conversation is left alone until it grows (0.17).
    """

    name: ClassVar[str] = "memory.ingest_ended"

    at: str
    session: str
    ok: bool
    reason_code: str | None
    retryable: bool
    revision: str | None
    turns: int
    claims: int
    writer: str | None


@dataclass(frozen=True, slots=True)
class NightEnded:
    """The nightly pass is over; ``night`` is the local date. The other fields are those of ``IngestEnded``."""

    name: ClassVar[str] = "memory.night_ended"

    at: str
    night: str
    ok: bool
    reason_code: str | None
    retryable: bool


@dataclass(frozen=True, slots=True)
class Injected:
    """A model was given something of the memory: of these blocks, at this revision.

    ``query_hash`` is the SHA-256 of what was searched for, ``None`` for the core, which nobody asks for. ``tier`` is
    that of whoever the model speaks with, ``surface`` how it got there.
    """

    name: ClassVar[str] = "memory.injected"

    at: str
    session: str | None
    tier: str
    surface: str
    revision: str | None
    blocks: tuple[str, ...]
    query_hash: str | None


Event = IngestEnded | NightEnded | Injected


class EventBus:
    """Tells every subscriber of every event, in the order in which they subscribed."""

    def __init__(self) -> None:
        """Nobody listens yet."""
        self._subscribers: list[Callable[[Event], None]] = []

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Have a function called with every event from now on; what is given back ends that."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Tell everybody. What a subscriber raises is logged, and harms neither the others nor the publisher."""
        for subscriber in tuple(self._subscribers):
            try:
                subscriber(event)
            except Exception:  # noqa: BLE001  (a subscriber is anybody's code)
                _LOG.exception("a subscriber failed on %s", event.name)
