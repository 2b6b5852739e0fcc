"""The questions about a whole conversation, answered by reading it: for stores that keep no index of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.conversations.model import Outline
from gitmem.conversations.speaking import is_eligible, person_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.conversations.model import NodeId, Session
    from gitmem.format.turn import Turn


@dataclass
class _Read:
    """What was read of one conversation as it stood."""

    session: Session
    nodes: dict[str, NodeId] = field(default_factory=dict)
    speakers: dict[str, NodeId] = field(default_factory=dict)


class Walking(ABC):
    """Gives a store ``outline``, ``find`` and ``speakers``; the price is a conversation's length, once as it stands."""

    _read: _Read | None = None

    @abstractmethod
    def turn(self, node: NodeId) -> Turn:
        """The turn at a node."""

    @abstractmethod
    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The node and its predecessors, newest first."""

    def outline(self, node: NodeId) -> Iterator[Outline]:
        """What is to be known of the node and its predecessors."""
        depth = sum(1 for _ in self.lineage(node))
        for place, step in enumerate(self.lineage(node)):
            turn = self.turn(step)
            yield Outline(step, turn.id, depth - place, is_eligible(turn))

    def find(self, session: Session, turn_id: str) -> NodeId | None:
        """The node of the turn of that id on a branch of the conversation."""
        return self._whole(session).nodes.get(turn_id)

    def speakers(self, session: Session) -> Mapping[str, NodeId]:
        """Who has spoken on a branch of the conversation."""
        return self._whole(session).speakers

    def _whole(self, session: Session) -> _Read:
        if self._read is None or self._read.session != session:
            self._read = _Read(session)
            seen: set[NodeId] = set()
            for branch in session.every_branch:
                for node in self.lineage(branch.head):
                    if node in seen:
                        break
                    seen.add(node)
                    self._take(self._read, node)
        return self._read

    def _take(self, read: _Read, node: NodeId) -> None:
        turn = self.turn(node)
        read.nodes.setdefault(turn.id, node)
        person = person_of(turn)
        if person is not None:
            read.speakers.setdefault(person, node)
