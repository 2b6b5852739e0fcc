"""How a conversation takes in turns: known ones once, new ones in their place, and branches that follow them.

A branch is the way from the root to a leaf. After growing every leaf has a branch, so no turn is lost: the one that the
conversation goes on from is ``main``, the others keep a name that somebody gave them or are named after their leaf.
"""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from gitmem.conversations.authority import is_pending
from gitmem.conversations.branching import Shape, plan_branches
from gitmem.conversations.model import ARCHIVED_PREFIX, MAIN
from gitmem.conversations.speaking import fingerprint
from gitmem.errors import Code, NotFound

if TYPE_CHECKING:
    from gitmem.conversations.model import NodeId, Session, SessionId
    from gitmem.conversations.speaking import Said
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


class _Added(NamedTuple):
    """A turn that came in with this batch, without its text: 100,000 of them fit into little memory."""

    node: NodeId
    said: int
    pending: bool


class Growth:
    """One conversation growing inside one batch. Turns come in parents first; ``finish`` moves the branches.

    What is there already is looked up in the store as it is asked for.
    """

    def __init__(self, store: ConversationStore, batch: Batch, session: SessionId, standing: Session | None) -> None:
        """``standing`` is the conversation as the store has it, ``None`` for a new one."""
        self.session = session
        self._store = store
        self._batch = batch
        self._standing = standing
        self._heads = {branch.name: branch.head for branch in standing.every_branch} if standing else {}
        self._added: dict[str, _Added] = {}
        self._found: dict[str, NodeId] = {}
        self._last: Turn | None = None
        self._last_child: dict[NodeId, NodeId] = {}
        self._leaves: dict[NodeId, str] = {}
        self._raised: dict[NodeId, Turn] = {}

    @property
    def head(self) -> str | None:
        """The id of the turn that the conversation went on from before it grew."""
        return self._id_of(self._heads[MAIN]) if MAIN in self._heads else None

    def has(self, turn_id: str) -> bool:
        """Whether a turn of that id is in the conversation, or was just added."""
        return self._node(turn_id) is not None

    def is_pending(self, turn_id: str) -> bool:
        """Whether nobody vouches for the turn of that id, as it will stand; it must be there."""
        added = self._added.get(turn_id)
        return is_pending(self.turn(turn_id)) if added is None else added.pending

    def turn(self, turn_id: str) -> Turn:
        """The turn of that id, vouched for as it will stand; it must be there."""
        if self._last is None or self._last.id != turn_id:
            node = self._there(turn_id)
            self._last = self._raised.get(node) or self._store.turn(node)
        return self._last

    def length(self, turn_id: str | None) -> int:
        """How many turns lead to the turn of that id, itself included; 0 for ``None``."""
        return 0 if turn_id is None else next(self._store.outline(self._there(turn_id))).depth

    def judge(self, turn_id: str, said: Said) -> Outcome | None:
        """What becomes of a turn whoever vouches for it; ``None`` when that depends on who does, or it is new."""
        if not self.has(turn_id):
            return None
        added = self._added.get(turn_id)
        known = fingerprint(self.turn(turn_id)) if added is None else added.said
        if known != fingerprint(said):
            return Outcome.CHANGED
        return None if self.is_pending(turn_id) else Outcome.KNOWN

    def offer(self, turn: Turn) -> Outcome:
        """Take a turn in, after its parent, which must be there: look with ``has`` before."""
        node = self._node(turn.id)
        if node is None:
            self._add(turn, None if turn.parent is None else self._there(turn.parent))
            return Outcome.ADDED
        verdict = self.judge(turn.id, turn)
        if verdict is not None:
            return verdict
        if is_pending(turn):
            return Outcome.KNOWN
        self._raised[node] = dataclasses.replace(self.turn(turn.id), authority=turn.authority)
        if turn.id in self._added:
            self._added[turn.id] = self._added[turn.id]._replace(pending=False)
        self._last = None
        return Outcome.RAISED

    def ends(self) -> dict[str, str]:
        """The id of the turn at the head of each live branch, as long as nothing moved them."""
        return {name: self._id_of(head) for name, head in self._heads.items() if not name.startswith(ARCHIVED_PREFIX)}

    def finish(self, current: str | None = None) -> dict[str, str]:
        """Move the branches, and give the id of the turn at the head of each that is live.

        ``current`` is the id of the turn that the conversation goes on from, where somebody said so.
        """
        shape = Shape(
            self.session,
            self._heads,
            {name: self._follow(head) for name, head in self._heads.items()},
            tuple(self._leaves),
            None if current is None else self._there(current),
            self._id_of,
            self._store.lineage,
        )
        plan = plan_branches(shape)
        ids = {name: shape.id_of(head) for name, head in plan.items() if not name.startswith(ARCHIVED_PREFIX)}
        if self._raised:
            moved: dict[NodeId, NodeId] = {}
            plan = {name: self._rethread(head, moved) for name, head in plan.items()}
        for name in sorted({*self._heads, *plan}):
            before, after = self._heads.get(name), plan.get(name)
            if before != after:
                self._batch.point(self.session, name, after, expected=before)
        return ids

    def _node(self, turn_id: str) -> NodeId | None:
        """Where the turn of that id stands, or ``None``; what was found once is not looked up again."""
        added = self._added.get(turn_id)
        if added is not None:
            return added.node
        node = self._found.get(turn_id)
        if node is None and self._standing is not None:
            node = self._store.find(self._standing, turn_id)
            if node is not None:
                self._found[turn_id] = node
        return node

    def _there(self, turn_id: str) -> NodeId:
        node = self._node(turn_id)
        if node is None:
            message = f"{self.session} has no turn {turn_id}"
            raise NotFound(Code.SOURCE_NOT_FOUND, message)
        return node

    def _id_of(self, node: NodeId) -> str:
        return self._leaves.get(node) or next(self._store.outline(node)).id

    def _add(self, turn: Turn, parent: NodeId | None) -> None:
        node = self._batch.add(turn, parent)
        self._added[turn.id] = _Added(node, fingerprint(turn), is_pending(turn))
        self._last = turn
        self._leaves[node] = turn.id
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
