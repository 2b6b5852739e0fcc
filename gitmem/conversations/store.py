"""What gitmem needs of a place that keeps conversations; a host with its own store implements this (part 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from gitmem.conversations.model import Mark, NodeId, Outline, Session, SessionId
    from gitmem.format.turn import Turn


class Batch(Protocol):
    """Additions that become visible together, when the ``with`` block that opened the batch ends without an error."""

    def add(self, turn: Turn, parent: NodeId | None) -> NodeId:
        """Keep a turn after ``parent`` (``None``: a root). The same turn after the same parent is the same node.

        ``turn.parent`` is the id of the turn at ``parent``. The node can be read at once; it is in no branch yet.
        """
        ...

    def point(self, session: SessionId, branch: str, head: NodeId | None, *, expected: NodeId | None) -> None:
        """Say where a branch ends when the batch does; ``None`` removes it. The last word for a branch counts.

        ``expected`` is where it ended when the caller looked, ``None`` for no such branch.
        """
        ...


class ConversationStore(Protocol):
    """Conversations, their turns and their marks. Reading changes nothing; a node is never changed or reused.

    A conversation may have 100,000 turns and a store 10,000 conversations: ``find``, ``speakers`` and the first steps
    of ``lineage`` and ``outline`` should not cost the length of a conversation. A small store may inherit ``Walking``,
    which answers the questions about whole conversations by reading them.
    """

    def sessions(self) -> tuple[Session, ...]:
        """Every conversation that has a branch, by provider and thread."""
        ...

    def session(self, session: SessionId) -> Session | None:
        """One conversation; ``None`` when it has no branch."""
        ...

    def turn(self, node: NodeId) -> Turn:
        """The turn at a node. Raises ``NotFound`` (``SOURCE_NOT_FOUND``) when there is none."""
        ...

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The node and its predecessors, newest first; lazily, so that a caller who stops early pays for no more."""
        ...

    def outline(self, node: NodeId) -> Iterator[Outline]:
        """What is to be known of the node and its predecessors without their text, newest first; lazily."""
        ...

    def find(self, session: Session, turn_id: str) -> NodeId | None:
        """The node of the turn of that id on a branch of the conversation, archived ones included; ``None``: none.

        The branches are those of ``session``; a store may also know those that came after. Where several nodes have
        the id, any of them.
        """
        ...

    def speakers(self, session: Session) -> Mapping[str, NodeId]:
        """Who has spoken on a branch of the conversation, archived ones included: ``person_of`` -> one of their turns.

        Turns that nobody in particular said are not in it.
        """
        ...

    def marks(self, node: NodeId) -> tuple[Mark, ...]:
        """What is noted on the node, by every workspace; sorted."""
        ...

    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        """Note on every node that it has been written, all or none; marks that are there stay. Twice is once."""
        ...

    def batch(self) -> AbstractContextManager[Batch]:
        """Open a batch. On an error inside it nothing becomes visible.

        At its end: raises ``Conflict`` (``CONCURRENT_UPDATE``) when a branch is not where the batch expected it, and
        ``InvalidRequest`` for a conversation or branch whose name differs from another's only by case or by Unicode
        normalization (7.11); nothing becomes visible then either.
        """
        ...
