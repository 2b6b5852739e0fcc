"""What conversations there are, and what of them is written (``cli.md``: ``turn list``, ``turn branches``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.conversations.pending import suffix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.conversations.marks import Standing
    from gitmem.conversations.model import Branch, NodeId, Session, SessionId
    from gitmem.conversations.pending import Archived
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn


@dataclass(frozen=True, slots=True)
class BranchSummary:
    """One live branch: ``head`` is the id of its last turn, ``pending`` counts the turns that are to be written."""

    name: str
    head: str
    turns: int
    pending: int


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One conversation, ``provider/thread``, the branch that it goes on from first."""

    session: str
    branches: tuple[BranchSummary, ...]


@dataclass(frozen=True, slots=True)
class SessionsAnswer:
    """Every conversation, by provider and thread (``turn list``)."""

    sessions: tuple[SessionSummary, ...]


@dataclass(frozen=True, slots=True)
class BranchAnswer:
    """One branch; nothing of an archived one alone is pending."""

    name: str
    head: str
    turns: int
    pending: int
    archived: bool


@dataclass(frozen=True, slots=True)
class BranchesAnswer:
    """The branches of a conversation, the current one first, archived ones last (``turn branches``).

    ``head`` is the id of the turn that the conversation goes on from.
    """

    session: str
    head: str
    branches: tuple[BranchAnswer, ...]


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """One turn: whether it is of the kind that is written up (9.4), and whether memory has written it."""

    id: str
    parent: str | None
    role: str
    speaker_id: str | None
    speaker_display: str | None
    timestamp: str | None
    content: str
    eligible: bool
    written: bool


@dataclass(frozen=True, slots=True)
class TurnsAnswer:
    """The turns of one branch, oldest first (``turn list SESSION``)."""

    session: str
    branch: str
    turns: tuple[TurnAnswer, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Looks at the conversations of a store as one memory sees them."""

    store: ConversationStore
    standing: Standing
    archived: Archived

    def sessions(self, *, unwritten: bool = False) -> SessionsAnswer:
        """Every conversation with its live branches, or those alone of which something is still to be written."""
        found = map(self.session, self.store.sessions())
        chosen = (one for one in found if not unwritten or any(branch.pending for branch in one.branches))
        return SessionsAnswer(tuple(chosen))

    def session(self, session: Session) -> SessionSummary:
        """One conversation; a turn that branches share is counted on each of them."""
        pending = self._pending(session)
        branches = ((branch, *self._end(branch)) for branch in session.branches)
        return SessionSummary(
            str(session.id),
            tuple(BranchSummary(branch.title, head, turns, pending[branch]) for branch, head, turns in branches),
        )

    def branches(self, session: Session) -> BranchesAnswer:
        """One conversation with its archived branches too."""
        pending = self._pending(session)
        archived = frozenset(session.archived)
        found = tuple(
            BranchAnswer(branch.title, *self._end(branch), pending.get(branch, 0), branch in archived)
            for branch in session.every_branch
        )
        return BranchesAnswer(str(session.id), found[0].head, found)

    def turns(self, session: SessionId, branch: Branch, *, unwritten: bool = False) -> TurnsAnswer:
        """The turns of a branch, or those alone that are still to be written."""
        found = self._unwritten(session, branch) if unwritten else self._every(session, branch)
        return TurnsAnswer(str(session), branch.title, tuple(found))

    def _unwritten(self, session: SessionId, branch: Branch) -> Iterator[TurnAnswer]:
        for turn in suffix(self.store, session, branch, self.standing).waiting(self.archived):
            yield turn_answer(self.store.turn(turn.node), eligible=True, written=False)

    def _every(self, session: SessionId, branch: Branch) -> Iterator[TurnAnswer]:
        rest = suffix(self.store, session, branch, self.standing)
        waiting = {turn.node for turn in rest.waiting(self.archived)}
        for turn in reversed(tuple(self.store.outline(branch.head))):
            written = turn.eligible and turn.node not in waiting
            yield turn_answer(self.store.turn(turn.node), eligible=turn.eligible, written=written)

    def _end(self, branch: Branch) -> tuple[str, int]:
        """The id of a branch's last turn, and how many turns lead to it."""
        last = next(self.store.outline(branch.head))
        return last.id, last.depth

    def _pending(self, session: Session) -> dict[Branch, int]:
        """How many turns wait on each live branch; what branches share is looked at once."""
        counts: dict[Branch, int] = {}
        so_far: dict[NodeId, int] = {}
        for branch in session.branches:
            rest = suffix(self.store, session.id, branch, self.standing, so_far)
            waiting = {turn.node for turn in rest.waiting(self.archived)}
            count = 0 if rest.after is None else so_far.get(rest.after, 0)
            for node in rest.nodes:
                count += node in waiting
                so_far[node] = count
            counts[branch] = count
        return counts


def turn_answer(turn: Turn, *, eligible: bool, written: bool) -> TurnAnswer:
    """A turn as it is listed."""
    return TurnAnswer(
        turn.id,
        turn.parent,
        turn.role,
        turn.speaker_id,
        turn.speaker_display,
        turn.timestamp,
        turn.content,
        eligible,
        written,
    )
