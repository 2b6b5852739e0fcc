"""A conversation store in memory: a test double, and the smallest example of what a host implements."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gitmem.conversations.model import NodeId, session_of
from gitmem.conversations.names import refuse_twins
from gitmem.conversations.walking import Walking
from gitmem.errors import Code, Conflict, NotFound
from gitmem.format.layout import session_ref
from gitmem.format.turn import render_turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.conversations.model import Mark, Session, SessionId
    from gitmem.format.turn import Turn


class MemoryConversations(Walking):
    """Conversations that live as long as the object does."""

    def __init__(self) -> None:
        """Start without conversations."""
        self._turns: dict[NodeId, tuple[Turn, NodeId | None]] = {}
        self._heads: dict[SessionId, dict[str, NodeId]] = {}
        self._marks: dict[NodeId, frozenset[Mark]] = {}

    def sessions(self) -> tuple[Session, ...]:
        """Every conversation that has a branch, by provider and thread."""
        return tuple(session_of(name, self._heads[name]) for name in sorted(self._heads))

    def session(self, session: SessionId) -> Session | None:
        """One conversation; ``None`` when it has no branch."""
        heads = self._heads.get(session)
        return session_of(session, heads) if heads else None

    def turn(self, node: NodeId) -> Turn:
        """The turn at a node. Raises ``NotFound`` when there is none."""
        return self._find(node)[0]

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The node and its predecessors, newest first."""
        step: NodeId | None = node
        while step is not None:
            yield step
            step = self._find(step)[1]

    def marks(self, node: NodeId) -> tuple[Mark, ...]:
        """What is noted on the node."""
        return tuple(sorted(self._marks.get(node, ())))

    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        """Note on every node that it has been written."""
        for node in nodes:
            self._marks[node] = self._marks.get(node, frozenset()) | {mark}

    @contextmanager
    def batch(self) -> Iterator[MemoryBatch]:
        """Open a batch."""
        batch = MemoryBatch(self._turns)
        yield batch
        self._publish(batch.pointed)

    def _find(self, node: NodeId) -> tuple[Turn, NodeId | None]:
        if node not in self._turns:
            raise NotFound(Code.SOURCE_NOT_FOUND, f"there is no turn {node}")
        return self._turns[node]

    def _publish(self, pointed: dict[tuple[SessionId, str], tuple[NodeId | None, NodeId | None]]) -> None:
        for (session, branch), (_, expected) in pointed.items():
            if self._heads.get(session, {}).get(branch) != expected:
                raise Conflict(Code.CONCURRENT_UPDATE, f"{session} moved meanwhile; try again")
        after = {session: dict(heads) for session, heads in self._heads.items()}
        for (session, branch), (head, _) in pointed.items():
            heads = after.setdefault(session, {})
            heads.pop(branch, None)
            if head is not None:
                heads[branch] = head
        refuse_twins((), [session_ref(s.provider, s.thread, name) for s, heads in after.items() for name in heads])
        self._heads = {session: heads for session, heads in after.items() if heads}


class MemoryBatch:
    """Additions to a store in memory."""

    def __init__(self, turns: dict[NodeId, tuple[Turn, NodeId | None]]) -> None:
        """Add to these turns."""
        self._turns = turns
        self.pointed: dict[tuple[SessionId, str], tuple[NodeId | None, NodeId | None]] = {}

    def add(self, turn: Turn, parent: NodeId | None) -> NodeId:
        """Keep a turn after ``parent``."""
        node = NodeId(hashlib.sha256(f"{parent}\n{render_turn(turn).message}".encode()).hexdigest())
        self._turns[node] = (turn, parent)
        return node

    def point(self, session: SessionId, branch: str, head: NodeId | None, *, expected: NodeId | None) -> None:
        """Say where a branch ends when the batch does."""
        self.pointed[session, branch] = (head, expected)
