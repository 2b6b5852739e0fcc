"""Conversations taken into the store: order, authority, and what is known already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.conversations.growth import Growth, Outcome
from gitmem.conversations.model import MAIN
from gitmem.conversations.pending import handle_of
from gitmem.errors import InvalidRequest, NotFound
from gitmem.format.speaker import speaker_label
from gitmem.interop.drafted import continued, turn_of
from gitmem.interop.placing import Placing
from gitmem.interop.reading import Current, Draft, Fault, ReadError, Skipped, Written
from gitmem.interop.report import SessionReport, Waiting
from gitmem.interop.vouching import speaker_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.conversations.model import Session, SessionId
    from gitmem.conversations.store import Batch, ConversationStore
    from gitmem.ids import SourceId
    from gitmem.interop.forgotten import PassingBy
    from gitmem.interop.format import Format
    from gitmem.interop.reading import Reading
    from gitmem.interop.vouching import Vouching


@dataclass
class _Conversation:
    """What a batch has heard of one conversation so far.

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


MAX_BATCH_TURNS = 20_000
"""After how many new turns a batch ends with the conversation, so that a large export is not held in memory."""


class Intake:
    """Takes what readers give into one batch of a store."""

    def __init__(
        self,
        store: ConversationStore,
        batch: Batch,
        standing: Mapping[SessionId, Session],
        is_archived: Callable[[SourceId], bool],
        forgotten: PassingBy,
    ) -> None:
        """``standing`` is what the store has. ``drafts`` counts the turns that could be read."""
        self._is_archived = is_archived
        self._forgotten = forgotten
        self._store = store
        self._batch = batch
        self._standing = standing
        self._open: dict[SessionId, _Conversation] = {}
        self._ended: dict[SessionId, SessionReport] = {}
        self._under_way: SessionId | None = None
        self._added = 0
        self._incomplete: set[SessionId] = set()
        self.drafts = 0
        self.raised = 0
        self.late = 0
        self.errors: list[ReadError] = []
        self.written: list[Written] = []
        self.waiting: dict[tuple[str | None, str], Waiting] = {}

    @property
    def is_full(self) -> bool:
        """Whether the batch has enough turns, and none waits for a parent that another document may have."""
        return self._added >= MAX_BATCH_TURNS and not self._incomplete

    def take(self, reading: Reading, source_format: Format, vouching: Vouching) -> bool:
        """Take one reading in; no, when it has to wait for another batch."""
        if isinstance(reading, ReadError):
            self.errors.append(reading)
            return True
        if not self._has_room_for(reading.session, source_format):
            return False
        if isinstance(reading, Draft):
            kept = self._forgotten.look(reading)
            if isinstance(kept, ReadError):
                self.errors.append(kept)
                return True
            reading = kept
        found = self._conversation(reading.session, source_format.name, vouching)
        match reading:
            case Draft():
                self._place(found, reading)
            case Skipped():
                found.skipped += 1
            case Current():
                found.current = self._forgotten.heir(reading.session, reading.id)
            case Written():
                self.written.append(reading)
        return True

    def _place(self, found: _Conversation, draft: Draft) -> None:
        self.drafts += 1
        for ready in found.placing.take(continued(draft, found.growth)):
            self._offer(found, ready)
        if found.placing.is_waiting:
            self._incomplete.add(draft.session)
        else:
            self._incomplete.discard(draft.session)

    def finish(self) -> list[SessionReport]:
        """Take in what waited for a parent in vain, then move the branches."""
        for session in tuple(self._open):
            self._end(session)
        return list(self._ended.values())

    def _has_room_for(self, session: SessionId, source_format: Format) -> bool:
        """Put away the conversation that was under way, if another begins; it can be gone on with in another batch."""
        if self._under_way is not None and session != self._under_way:
            self._end(self._under_way)
            self._under_way = None
            if self._added >= MAX_BATCH_TURNS and not self._open:
                return False
        if session in self._ended:
            return False
        if source_format.one_by_one:
            self._under_way = session
        return True

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
        try:
            outcome = growth.judge(draft.id, draft) or growth.offer(turn_of(draft, found.vouching, growth))
        except (InvalidRequest, NotFound) as error:  # what a reader should have found
            self.errors.append(draft.place.error(Fault.BAD_FIELD, error.message[:300]))
            return
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
            self._added += 1
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

    def _end(self, session: SessionId) -> None:
        found = self._open.pop(session)
        self._incomplete.discard(session)
        for reading in found.placing.rest():
            if isinstance(reading, ReadError):
                self.errors.append(reading)
            else:
                self._offer(found, reading)
        heads = found.growth.finish(found.current or found.newest)
        counts = {"turns": found.turns, "new": found.new, "skipped": found.skipped, "pending": found.pending}
        self._ended[session] = SessionReport(str(session), found.format_name, heads.get(MAIN), len(heads), **counts)
