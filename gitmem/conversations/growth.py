"""How a conversation takes in turns: known ones once, new ones in their place, and branches that follow them.

A branch is the way from the root to a leaf. After growing every leaf has a branch, so no turn is lost: the one that the
conversation goes on from is ``main``, the others keep a name that somebody gave them or are named after their leaf.
"""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gitmem.conversations.authority import is_pending
from gitmem.conversations.branching import Shape, plan_branches
from gitmem.conversations.model import MAIN

if TYPE_CHECKING:
    from gitmem.conversations.model import NodeId, Session, SessionId
    from gitmem.conversations.store import Batch, ConversationStore
    from gitmem.format.turn import Turn


class Outcome(Enum):
    """What became of an offered turn."""

    ADDED = "added"
    KNOWN = "known"
    RAISED = "raised"
    """It was there as pending, and somebody now vouches for it."""
    CHANGED = "changed"
    """Its id is taken by a turn that says something else; what stands, stands."""


class Said(Protocol):
    """What of a turn makes it the same message in every reading."""

    @property
    def role(self) -> str: ...  # noqa: D102
    @property
    def content(self) -> str: ...  # noqa: D102
    @property
    def timestamp(self) -> str | None: ...  # noqa: D102
    @property
    def speaker_id(self) -> str | None: ...  # noqa: D102
    @property
    def speaker_display(self) -> str | None: ...  # noqa: D102


class _Known(NamedTuple):
    """A turn that is there, without its text: 100,000 of them fit into little memory."""

    node: NodeId
    said: int
    pending: bool


class Growth:
    """One conversation growing inside one batch. Turns come in parents first; ``finish`` moves the branches."""

    def __init__(self, store: ConversationStore, batch: Batch, session: SessionId, standing: Session | None) -> None:
        """Read which turns the conversation has: the price is its length, once.

        ``standing`` is the conversation as the store has it, ``None`` for a new one.
        """
        self.session = session
        self._store = store
        self._batch = batch
        self._heads = {branch.name: branch.head for branch in standing.branches} if standing else {}
        self._known: dict[str, _Known] = {}
        self._last: Turn | None = None
        self._last_child: dict[NodeId, NodeId] = {}
        self._leaves: dict[NodeId, None] = {}
        self._raised: dict[NodeId, Turn] = {}
        self._index()

    @property
    def head(self) -> str | None:
        """The id of the turn that the conversation went on from before it grew."""
        return self._store.turn(self._heads[MAIN]).id if MAIN in self._heads else None

    def has(self, turn_id: str) -> bool:
        """Whether a turn of that id is in the conversation, or was just added."""
        return turn_id in self._known

    def is_pending(self, turn_id: str) -> bool:
        """Whether nobody vouches for the turn of that id, as it will stand; it must be there."""
        return self._known[turn_id].pending

    def turn(self, turn_id: str) -> Turn:
        """The turn of that id, vouched for as it will stand; it must be there."""
        if self._last is not None and self._last.id == turn_id:
            return self._last
        node = self._known[turn_id].node
        return self._raised.get(node) or self._store.turn(node)

    def length(self, turn_id: str | None) -> int:
        """How many turns lead to the turn of that id, itself included; 0 for ``None``."""
        return 0 if turn_id is None else sum(1 for _ in self._store.lineage(self._known[turn_id].node))

    def judge(self, turn_id: str, said: Said) -> Outcome | None:
        """What becomes of a turn whoever vouches for it; ``None`` when that depends on who does, or it is new."""
        known = self._known.get(turn_id)
        if known is None:
            return None
        if known.said != _fingerprint(said):
            return Outcome.CHANGED
        return None if known.pending else Outcome.KNOWN

    def offer(self, turn: Turn) -> Outcome:
        """Take a turn in, after its parent, which must be there: look with ``has`` before."""
        known = self._known.get(turn.id)
        if known is None:
            self._add(turn, None if turn.parent is None else self._known[turn.parent].node)
            return Outcome.ADDED
        verdict = self.judge(turn.id, turn)
        if verdict is not None:
            return verdict
        if is_pending(turn):
            return Outcome.KNOWN
        self._raised[known.node] = dataclasses.replace(self.turn(turn.id), authority=turn.authority)
        self._known[turn.id] = known._replace(pending=False)
        self._last = None
        return Outcome.RAISED

    def finish(self, current: str | None = None) -> dict[str, str]:
        """Move the branches, and give the id of the turn at the head of each.

        ``current`` is the id of the turn that the conversation goes on from, where somebody said so.
        """
        shape = Shape(
            self.session,
            self._heads,
            {name: self._follow(head) for name, head in self._heads.items()},
            tuple(self._leaves),
            None if current is None else self._known[current].node,
            lambda node: self._store.turn(node).id,
            self._store.lineage,
        )
        plan = plan_branches(shape)
        ids = {name: shape.id_of(head) for name, head in plan.items()}
        if self._raised:
            moved: dict[NodeId, NodeId] = {}
            plan = {name: self._rethread(head, moved) for name, head in plan.items()}
        for name in sorted({*self._heads, *plan}):
            before, after = self._heads.get(name), plan.get(name)
            if before != after:
                self._batch.point(self.session, name, after, expected=before)
        return ids

    def _index(self) -> None:
        seen: set[NodeId] = set()
        for head in self._heads.values():
            for node in self._store.lineage(head):
                if node in seen:
                    break
                seen.add(node)
                turn = self._store.turn(node)
                self._known.setdefault(turn.id, _Known(node, _fingerprint(turn), is_pending(turn)))

    def _add(self, turn: Turn, parent: NodeId | None) -> None:
        node = self._batch.add(turn, parent)
        self._known[turn.id] = _Known(node, _fingerprint(turn), is_pending(turn))
        self._last = turn
        self._leaves[node] = None
        if parent is not None:
            self._last_child[parent] = node
            self._leaves.pop(parent, None)

    def _follow(self, node: NodeId) -> NodeId:
        while node in self._last_child:
            node = self._last_child[node]
        return node

    def _rethread(self, head: NodeId, moved: dict[NodeId, NodeId]) -> NodeId:
        """Repeat a branch with the turns that are vouched for now; a commit holds its authority and its parents."""
        parent: NodeId | None = None
        changed = False
        for node in reversed(tuple(self._store.lineage(head))):
            if node not in moved:
                turn = self._raised.get(node)
                changed = changed or turn is not None
                moved[node] = self._batch.add(turn or self._store.turn(node), parent) if changed else node
            parent = moved[node]
            changed = parent != node
        return moved[head]


def _fingerprint(said: Said) -> int:
    """Equal for two readings of one message. Names change in later exports, ids do not."""
    return hash((said.role, said.content, said.timestamp, said.speaker_id or said.speaker_display))
