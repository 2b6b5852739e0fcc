"""One file's conversations taken into the store: order, authority, and what is known already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.conversations.authority import authority_of, render_authority
from gitmem.conversations.growth import Growth, Outcome
from gitmem.conversations.model import MAIN
from gitmem.conversations.pending import handle_of
from gitmem.format.speaker import speaker_label
from gitmem.format.turn import Turn
from gitmem.interop.placing import Placing
from gitmem.interop.reading import Current, Draft, Fault, ReadError, Skipped
from gitmem.interop.report import SessionReport, Waiting
from gitmem.interop.vouching import speaker_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gitmem.conversations.model import Session, SessionId
    from gitmem.conversations.store import Batch, ConversationStore
    from gitmem.ids import SourceId
    from gitmem.interop.reading import Reading
    from gitmem.interop.vouching import Vouching


@dataclass
class _Conversation:
    """What one path has said of one conversation so far.

    ``current`` is the file's own word on where the conversation goes on; without one, it goes on from the ``newest``.
    ``format_name`` is that of the first document that speaks of it.
    """

    growth: Growth
    placing: Placing
    format_name: str
    vouching: Vouching
    newest: str | None = None
    current: str | None = None
    turns: int = 0
    new: int = 0
    skipped: int = 0
    pending: int = 0


class Intake:
    """Takes what readers give into one batch of a store; one for all documents of a path."""

    def __init__(
        self,
        store: ConversationStore,
        batch: Batch,
        standing: Mapping[SessionId, Session],
        is_archived: Callable[[SourceId], bool],
    ) -> None:
        """``standing`` is what the store has. ``drafts`` counts the turns that could be read."""
        self._is_archived = is_archived
        self._store = store
        self._batch = batch
        self._standing = standing
        self._open: dict[SessionId, _Conversation] = {}
        self.drafts = 0
        self.raised = 0
        self.late = 0
        self.errors: list[ReadError] = []
        self.waiting: dict[tuple[str | None, str], Waiting] = {}

    def read(self, readings: Iterable[Reading], format_name: str, vouching: Vouching) -> None:
        """Take one document in."""
        for reading in readings:
            if isinstance(reading, ReadError):
                self.errors.append(reading)
                continue
            found = self._conversation(reading.session, format_name, vouching)
            match reading:
                case Draft():
                    self.drafts += 1
                    for draft in found.placing.take(_continued(reading, found.growth)):
                        self._offer(found, draft)
                case Skipped():
                    found.skipped += 1
                case Current():
                    found.current = reading.id

    def finish(self) -> list[SessionReport]:
        """Take in what waited for a parent in vain, then move the branches."""
        return [self._finish(session, found) for session, found in self._open.items()]

    def _conversation(self, session: SessionId, format_name: str, vouching: Vouching) -> _Conversation:
        """The conversation, whose people are those of the document that is read."""
        if session not in self._open:
            growth = Growth(self._store, self._batch, session, self._standing.get(session))
            self._open[session] = _Conversation(growth, Placing(growth.has), format_name, vouching)
        found = self._open[session]
        found.vouching = vouching
        return found

    def _offer(self, found: _Conversation, draft: Draft, *, is_edition: bool = False) -> None:
        growth = found.growth
        outcome = growth.judge(draft.id, draft) or growth.offer(_turn(found.vouching, growth, draft))
        if outcome is Outcome.CHANGED and draft.edition is not None:
            self._offer(found, replace(draft, id=draft.edition, edition=None), is_edition=True)
            return
        if outcome is Outcome.CHANGED:
            message = f"the id {draft.id} belongs to a turn that says something else; that one stays"
            self.errors.append(draft.place.error(Fault.CHANGED_TURN, message[:300]))
            return
        found.turns += 1
        if outcome is Outcome.ADDED:
            found.new += 1
            found.newest = found.newest if is_edition else draft.id
        if outcome is Outcome.RAISED:
            self.raised += 1
            self.late += self._is_archived(handle_of(growth.turn(draft.id)))
        if growth.is_pending(draft.id):
            found.pending += 1
            self._count_waiting(draft)

    def _count_waiting(self, draft: Draft) -> None:
        key = None if draft.pending else speaker_key(draft)
        label = speaker_label(draft.speaker_display, draft.speaker_id, draft.role)
        before = self.waiting.get((key, key or label), Waiting(key, label, 0))
        self.waiting[key, key or label] = replace(before, turns=before.turns + 1)

    def _finish(self, session: SessionId, found: _Conversation) -> SessionReport:
        for reading in found.placing.rest():
            if isinstance(reading, ReadError):
                self.errors.append(reading)
            else:
                self._offer(found, reading)
        heads = found.growth.finish(found.current or found.newest)
        counts = {"turns": found.turns, "new": found.new, "skipped": found.skipped, "pending": found.pending}
        return SessionReport(str(session), found.format_name, heads.get(MAIN), len(heads), **counts)


def _turn(vouching: Vouching, growth: Growth, draft: Draft) -> Turn:
    before = None if draft.role == "user" or draft.parent is None else growth.turn(draft.parent)
    return Turn(
        provider=draft.session.provider,
        thread=draft.session.thread,
        id=draft.id,
        parent=draft.parent,
        role=draft.role,
        content=draft.content,
        timestamp=draft.timestamp,
        speaker_id=draft.speaker_id,
        speaker_display=draft.speaker_display,
        authority=render_authority(vouching.of(draft, None if before is None else authority_of(before))),
        display=draft.display,
        source=draft.source,
        metadata=draft.metadata,
    )


def _continued(draft: Draft, growth: Growth) -> Draft:
    """Let a file that names no beginning go on from where the conversation stands, unless it was read before."""
    if not draft.continues or growth.has(draft.id):
        return draft
    return replace(draft, parent=growth.head)
