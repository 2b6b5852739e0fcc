"""What an ingest did (``cli.md``, Shapes: ``ingest``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.interop.reading import ReadError


@dataclass(frozen=True, slots=True)
class SessionReport:
    """One conversation that a file speaks of.

    ``session`` is ``provider/thread``. ``head`` is the id of the turn that the conversation goes on from (``None``: it
    has no turn). ``branches`` counts its branches now. ``turns`` counts the turns that were read, of which ``new`` were
    not there before; ``skipped`` counts items that hold no turn; ``pending`` the turns read for which nobody vouches.
    """

    session: str
    format: str
    head: str | None
    branches: int
    turns: int
    new: int
    skipped: int
    pending: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many turns of one speaker wait for somebody to vouch for them.

    ``speaker`` is a label, ``key`` what ``--owner`` and ``--paired`` take; ``None`` for turns without identity, and for
    those that wait whoever is named.
    """

    key: str | None
    speaker: str
    turns: int


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Everything that was read, by file and then by conversation; ``errors`` in file order.

    ``waiting`` says whose turns are pending, most turns first. ``raised`` counts turns that were pending and that
    somebody vouches for now; ``late`` those of them that were archived before, and stay pending there. ``unread`` names
    the files of which nothing could be read: exit 1.
    """

    sessions: tuple[SessionReport, ...]
    errors: tuple[ReadError, ...]
    waiting: tuple[Waiting, ...] = ()
    unread: tuple[str, ...] = ()
    raised: int = 0
    late: int = 0

    @property
    def turns(self) -> int:
        """Turns read."""
        return sum(session.turns for session in self.sessions)

    @property
    def new(self) -> int:
        """Turns that were not there before."""
        return sum(session.new for session in self.sessions)

    @property
    def pending(self) -> int:
        """Turns read for which nobody vouches."""
        return sum(session.pending for session in self.sessions)
