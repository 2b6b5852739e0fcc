"""What gitmem needs of a place that keeps conversations; a host with its own store implements this (part 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from gitmem.conversations.model import Mark, NodeId, Session, SessionId
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
    """Conversations, their turns and their marks. Reading never writes; a node is never changed or reused."""

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
