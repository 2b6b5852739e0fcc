"""Which turns memory has not written yet (``behaviours.md`` 0.16, 9.3, 9.4, 9.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.conversations.marks import Standing
    from gitmem.conversations.model import Branch, NodeId, Session, SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn

SPOKEN = frozenset({"user", "assistant"})
"""Roles of turns that somebody said; everything else is the machinery of a turn."""

RUNTIME_DISPLAY = "runtime"
RUNTIME_SOURCES = frozenset({"job_followup", "merge_turn"})


@dataclass(frozen=True, slots=True)
class Suffix:
    """The nodes of a branch that come after its newest counting mark, oldest first.

    ``start`` is the ordinal of the first: ordinals count the turns of the branch from its root, 0 first, machinery
    included.
    """

    session: SessionId
    branch: str
    start: int
    nodes: tuple[NodeId, ...]


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """One turn to write, with its place in the branch."""

    node: NodeId
    ordinal: int
    turn: Turn

    @property
    def handle(self) -> SourceId:
        """The turn's handle in the archives."""
        return handle_of(self.turn)


def handle_of(turn: Turn) -> SourceId:
    """Give the handle under which a turn is archived: ``provider/thread/message``."""
    return SourceId(f"{turn.provider}/{turn.thread}/{turn.id}")


def is_eligible(turn: Turn) -> bool:
    """Whether a turn is written up: what a person said or the assistant replied, with text (9.4).

    Tool calls and results, and the turns that a runtime schedules for itself, are kept and never written up.
    """
    if turn.role not in SPOKEN or not turn.content.strip():
        return False
    return turn.display != RUNTIME_DISPLAY and turn.source not in RUNTIME_SOURCES


def suffix(store: ConversationStore, session: SessionId, branch: Branch, standing: Standing) -> Suffix:
    """Give the part of one branch that follows its newest counting mark (9.3); only that part is read."""
    return _suffix(store, session, branch, standing, {})


def suffixes(store: ConversationStore, session: Session, standing: Standing) -> tuple[Suffix, ...]:
    """Give what follows the marks on every branch, the current head's first; a shared prefix only once (9.7).

    Branches with nothing left are not in the answer.
    """
    seen: dict[NodeId, int] = {}
    found = []
    for branch in session.branches:
        rest = _suffix(store, session.id, branch, standing, seen)
        seen.update({node: rest.start + place for place, node in enumerate(rest.nodes)})
        if rest.nodes:
            found.append(rest)
    return tuple(found)


def pending_turns(
    store: ConversationStore, rest: Suffix, archived: Callable[[SourceId], bool]
) -> Iterator[PendingTurn]:
    """Read the turns of a suffix that are to be written, oldest first, as they are asked for.

    ``archived`` says whether a writer's memory commit of this workspace already added the handle's frame: then the
    turn counts as written, even when a crash came before its mark (0.16).
    """
    for ordinal, node in enumerate(rest.nodes, start=rest.start):
        turn = store.turn(node)
        if is_eligible(turn) and not archived(handle_of(turn)):
            yield PendingTurn(node, ordinal, turn)


def pending(
    store: ConversationStore, session: Session, standing: Standing, archived: Callable[[SourceId], bool]
) -> Iterator[tuple[Suffix, PendingTurn]]:
    """Read every turn of a conversation that is to be written, branch by branch."""
    for rest in suffixes(store, session, standing):
        for turn in pending_turns(store, rest, archived):
            yield rest, turn


def count_pending(store: ConversationStore, standing: Standing, archived: Callable[[SourceId], bool]) -> int:
    """Count the turns to write over all conversations and branches, shared prefixes once (12.2)."""
    return sum(1 for session in store.sessions() for _ in pending(store, session, standing, archived))


def _suffix(
    store: ConversationStore, session: SessionId, branch: Branch, standing: Standing, seen: dict[NodeId, int]
) -> Suffix:
    """Walk back to a counting mark, to a node of another suffix (``seen``, with its ordinal), or to the root."""
    nodes: list[NodeId] = []
    start = 0
    for node in store.lineage(branch.head):
        if node in seen:
            start = seen[node] + 1
            break
        if standing.counts(store.marks(node)):
            # Counting the way to the root is the price of an ordinal; a branch with nothing left does not pay it.
            start = sum(1 for _ in store.lineage(node)) if nodes else 0
            break
        nodes.append(node)
    return Suffix(session, branch.name, start, tuple(reversed(nodes)))
