"""Which turns memory has not written yet (``behaviours.md`` 0.16, 9.3, 9.4, 9.7)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from gitmem.conversations.marks import Standing
    from gitmem.conversations.model import Branch, NodeId, Outline, Session, SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn

    Archived = Callable[[SourceId], bool]
    """Whether a writer's memory commit of this workspace already added the handle's frame: then the turn counts as
    written, even when a crash came before its mark (0.16)."""


@dataclass(frozen=True)
class Suffix:
    """The turns of a branch that come after its newest counting mark, oldest first, machinery included.

    ``after`` is the turn that the first follows, ``None`` for a root.
    """

    session: SessionId
    branch: str
    turns: tuple[Outline, ...]
    after: NodeId | None = None

    @property
    def start(self) -> int:
        """The ordinal of the first: ordinals count the turns of the branch from its root, 0 first."""
        return self.turns[0].depth - 1 if self.turns else 0

    @cached_property
    def nodes(self) -> tuple[NodeId, ...]:
        """The nodes alone."""
        return tuple(turn.node for turn in self.turns)

    def waiting(self, archived: Archived) -> Iterator[Outline]:
        """Those that are to be written, oldest first; nothing is read for that."""
        for turn in self.turns:
            if turn.eligible and not archived(SourceId(f"{self.session}/{turn.id}")):
                yield turn


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


def suffix(
    store: ConversationStore, session: SessionId, branch: Branch, standing: Standing, known: Container[NodeId] = ()
) -> Suffix:
    """Give the part of one branch that follows its newest counting mark (9.3); only that part is read.

    It begins after the newest turn that is ``known`` already, where there is one.
    """

    def is_written(node: NodeId) -> bool:
        return node in known or standing.counts(store.marks(node))

    if is_written(branch.head):
        return Suffix(session, branch.name, (), branch.head)
    turns: list[Outline] = []
    after: NodeId | None = None
    for turn in store.outline(branch.head):
        if turns and is_written(turn.node):
            after = turn.node
            break
        turns.append(turn)
    return Suffix(session, branch.name, tuple(reversed(turns)), after)


def suffixes(store: ConversationStore, session: Session, standing: Standing) -> tuple[Suffix, ...]:
    """Give what follows the marks on every live branch, the current head's first; a shared prefix only once (9.7).

    Branches with nothing left are not in the answer.
    """
    seen: set[NodeId] = set()
    found = []
    for branch in session.branches:
        rest = suffix(store, session.id, branch, standing, seen)
        seen.update(rest.nodes)
        if rest.turns:
            found.append(rest)
    return tuple(found)


def pending_turns(store: ConversationStore, rest: Suffix, archived: Archived) -> Iterator[PendingTurn]:
    """Read the turns of a suffix that are to be written, oldest first, as they are asked for."""
    for place in rest.turns:
        turn = store.turn(place.node) if place.eligible else None
        if turn is not None and not archived(handle_of(turn)):
            yield PendingTurn(place.node, place.depth - 1, turn)


def pending(
    store: ConversationStore, session: Session, standing: Standing, archived: Archived
) -> Iterator[tuple[Suffix, PendingTurn]]:
    """Read every turn of a conversation that is to be written, branch by branch."""
    for rest in suffixes(store, session, standing):
        for turn in pending_turns(store, rest, archived):
            yield rest, turn


def count_pending(store: ConversationStore, standing: Standing, archived: Archived) -> int:
    """Count the turns to write over all conversations and live branches, shared prefixes once (12.2)."""
    return sum(
        1 for session in store.sessions() for rest in suffixes(store, session, standing) for _ in rest.waiting(archived)
    )
