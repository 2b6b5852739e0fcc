"""Messages that hold more than what was said: each becomes a short chain of turns.

A tool call inside a reply is the machinery of a turn and a turn of its own, with role ``tool``; what a program put into
the person's mouth is one with display ``runtime``. Both are kept, and never written up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from gitmem.conversations.speaking import RUNTIME_DISPLAY, SPOKEN
from gitmem.interop.reading import Draft, sound_handle, sound_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.conversations.model import SessionId
    from gitmem.interop.reading import Place

TOOL = "tool"
RUNTIME = RUNTIME_DISPLAY
"""The display of what a program said in somebody's name."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a message, as text."""

    text: str
    role: str
    display: str | None = None

    @property
    def is_spoken(self) -> bool:
        """Whether somebody said it."""
        return self.role in SPOKEN and self.display != RUNTIME


@dataclass(frozen=True, slots=True)
class Message:
    """Where a message stands: ``parent`` is the id of the turn that it follows, ``before`` as of a draft."""

    session: SessionId
    id: str
    parent: str | None
    place: Place
    timestamp: str | None = None
    before: str | None = None


def drafts_of(message: Message, pieces: Iterable[Piece]) -> list[Draft]:
    """Make the turns of a message, each after the one before it; none when it says nothing.

    Parts of a kind that stand together are one turn. The first that somebody said has the message's id, so that it is
    cited by it; the others are named after it with their number. Raises ``Unreadable``.
    """
    runs = _runs(pieces)
    own = next((place for place, piece in enumerate(runs) if piece.is_spoken), 0)
    drafts: list[Draft] = []
    for place, piece in enumerate(runs):
        last = drafts[-1].id if drafts else None
        drafts.append(
            Draft(
                session=message.session,
                id=sound_handle(message.session, message.id if place == own else f"{message.id}.{place + 1}"),
                parent=last or message.parent,
                role=piece.role,
                content=sound_text(piece.text, "content"),
                place=message.place,
                timestamp=message.timestamp,
                display=piece.display,
                before=last or message.before,
            )
        )
    return drafts


def _runs(pieces: Iterable[Piece]) -> list[Piece]:
    told = (piece for piece in pieces if piece.text.strip())
    return [
        Piece("\n".join(piece.text for piece in run), role, display)
        for (role, display), run in groupby(told, key=lambda piece: (piece.role, piece.display))
    ]
