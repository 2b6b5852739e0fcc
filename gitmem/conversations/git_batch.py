"""Additions to the conversations of one repository, and how they become visible together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.conversations.git_turns import session_prefix
from gitmem.conversations.model import NodeId, SessionId
from gitmem.conversations.names import refuse_twins
from gitmem.conversations.turn_index import Entry
from gitmem.errors import Code, Conflict
from gitmem.format.layout import SESSIONS_PREFIX, parse_session_ref, session_ref
from gitmem.format.turn import parse_turn, render_turn
from gitmem.ids import Oid
from gitmem.request import Person
from gitmem.store.bulk_refs import move_together, pack_many
from gitmem.store.commit_batch import CommitBatch
from gitmem.store.commits import Stamp
from gitmem.store.refs import RefMove, list_refs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.conversations.indexed import Ends
    from gitmem.format.turn import Turn
    from gitmem.store.repository import Repo

FEW_SESSIONS = 4
"""Up to how many conversations are looked up one by one; more are found in one listing of all."""


class GitBatch:
    """Additions to the conversations of one repository."""

    def __init__(self, repo: Repo) -> None:
        """Add to this repository."""
        self._repo = repo
        self.commits = CommitBatch(repo)
        self.entries: dict[NodeId, Entry] = {}
        self._moves: dict[str, RefMove] = {}
        self._sessions: set[SessionId] = set()

    def add(self, turn: Turn, parent: NodeId | None) -> NodeId:
        """Write the turn's commit. The same turn after the same parent has the same id on every machine."""
        parts = render_turn(turn)
        author = Stamp(Person(parts.name, parts.email), parts.seconds, parts.offset)
        node = NodeId(self.commits.add(parts.message, author, _oid(parent)))
        self.entries[node] = Entry.of(node, parent, turn)
        return node

    def point(self, session: SessionId, branch: str, head: NodeId | None, *, expected: NodeId | None) -> None:
        """Say where a branch ends when the batch does."""
        name = session_ref(session.provider, session.thread, branch)
        self._moves[name] = RefMove(name, _oid(expected), _oid(head))
        self._sessions.add(session)

    @property
    def touched(self) -> bool:
        """Whether a branch is to move."""
        return bool(self._moves)

    # --- reading what is not visible yet

    def turn(self, node: NodeId) -> Turn:
        """The turn at a node of the batch."""
        return parse_turn(self.commits.message(Oid(node)) or "")

    def own_line(self, node: NodeId) -> Iterator[Entry]:
        """The node and its predecessors as far as the batch added them, newest first."""
        step: NodeId | None = node
        while step is not None and step in self.entries:
            yield self.entries[step]
            step = self.entries[step].parent

    # --- publishing, under the write lock

    def publish(self) -> dict[SessionId, Ends]:
        """Move every ref or, when one is not where it was, none; gives the conversations that were touched.

        Raises ``Conflict`` (``CONCURRENT_UPDATE``) and, for names that are twins, ``InvalidRequest``.
        """
        standing = self._standing()
        for move in self._moves.values():
            if standing.get(move.name) != move.old:
                raise Conflict(
                    Code.CONCURRENT_UPDATE,
                    f"{move.name.removeprefix(SESSIONS_PREFIX)} moved meanwhile; try again",
                    details={"ref": move.name},
                )
        self._refuse_twins(standing)
        ordered = sorted(self._moves.values(), key=lambda move: move.new is None)
        move_together(self._repo, ordered, "gitmem: conversation")
        moved = {move.name: move.new for move in ordered}
        before, after = _by_session(standing), _by_session({**standing, **moved})
        return {name: (before.get(name, ()), after.get(name, ())) for name in self._sessions}

    def _standing(self) -> dict[str, Oid | None]:
        """The refs of the conversations that the batch touches; maybe others too."""
        few = len(self._sessions) <= FEW_SESSIONS
        prefixes = map(session_prefix, sorted(self._sessions)) if few else (SESSIONS_PREFIX,)
        return {ref.name: ref.oid for prefix in prefixes for ref in list_refs(self._repo, prefix)}

    def _refuse_twins(self, standing: dict[str, Oid | None]) -> None:
        """Look among the siblings, and for the name of a new conversation among all of them."""
        made = [move.name for move in self._moves.values() if move.old is None and move.new is not None]
        if {_folder(name) for name in made} - {_folder(name) for name in standing}:
            pack_many(self._repo, SESSIONS_PREFIX)
            standing = {ref.name: ref.oid for ref in list_refs(self._repo, SESSIONS_PREFIX)}
        gone = {move.name for move in self._moves.values() if move.new is None}
        refuse_twins((name for name in standing if name not in gone), made)


def _folder(ref: str) -> str:
    return ref.rpartition("/")[0]


def _by_session(refs: Mapping[str, Oid | None]) -> dict[SessionId, list[NodeId]]:
    """Where the branches of each conversation end; somebody's own refs in gitmem's folder are none of them."""
    found: dict[SessionId, list[NodeId]] = {}
    for ref, oid in refs.items():
        name = parse_session_ref(ref)
        if name is not None and oid is not None:
            found.setdefault(SessionId(name.provider, name.thread), []).append(NodeId(oid))
    return found


def _oid(node: NodeId | None) -> Oid | None:
    return None if node is None else Oid(node)
