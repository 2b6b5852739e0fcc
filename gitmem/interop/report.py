"""What an ingest did (``cli.md``, Shapes: ``ingest``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def joined(parts: Sequence[IngestReport]) -> IngestReport:
    """One report of several; a conversation that several speak of is in it once."""
    sessions: dict[str, SessionReport] = {}
    waiting: dict[tuple[str | None, str], Waiting] = {}
    for part in parts:
        for session in part.sessions:
            before = sessions.get(session.session)
            sessions[session.session] = session if before is None else _added(before, session)
        for found in part.waiting:
            known = waiting.get((found.key, found.key or found.speaker))
            turns = found.turns + (known.turns if known else 0)
            waiting[found.key, found.key or found.speaker] = replace(known or found, turns=turns)
    return IngestReport(
        tuple(sessions.values()),
        tuple(error for part in parts for error in part.errors),
        tuple(sorted(waiting.values(), key=lambda found: (-found.turns, found.speaker))),
        tuple(file for part in parts for file in part.unread),
        sum(part.raised for part in parts),
        sum(part.late for part in parts),
    )


def _added(before: SessionReport, after: SessionReport) -> SessionReport:
    return replace(
        after,
        turns=before.turns + after.turns,
        new=before.new + after.new,
        skipped=before.skipped + after.skipped,
        pending=before.pending + after.pending,
    )
