"""What conversations there are, and what of them is written (``cli.md``: ``turn list``, ``turn branches``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.conversations.pending import handle_of, is_eligible, pending_turns, suffix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.conversations.marks import Standing
    from gitmem.conversations.model import Branch, Session
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn
    from gitmem.ids import SourceId


@dataclass(frozen=True, slots=True)
class BranchSummary:
    """One branch: ``head`` is the id of its last turn, ``pending`` counts its turns that are still to be written."""

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
class ListedTurn:
    """One turn of a branch: whether it is of the kind that is written up (9.4), and whether memory has written it."""

    turn: Turn
    eligible: bool
    written: bool


def summarize(
    store: ConversationStore, session: Session, standing: Standing, archived: Callable[[SourceId], bool]
) -> SessionSummary:
    """Count the turns of every branch of a conversation; a turn that branches share is counted on each of them."""
    return SessionSummary(
        str(session.id),
        tuple(
            BranchSummary(
                branch.name,
                store.turn(branch.head).id,
                sum(1 for _ in store.lineage(branch.head)),
                sum(1 for _ in pending_turns(store, suffix(store, session.id, branch, standing), archived)),
            )
            for branch in session.branches
        ),
    )


def list_turns(
    store: ConversationStore, branch: Branch, standing: Standing, archived: Callable[[SourceId], bool]
) -> Iterator[ListedTurn]:
    """Read a branch's turns, oldest first."""
    for node in reversed(tuple(store.lineage(branch.head))):
        turn = store.turn(node)
        eligible = is_eligible(turn)
        written = eligible and (standing.counts(store.marks(node)) or archived(handle_of(turn)))
        yield ListedTurn(turn, eligible, written)
