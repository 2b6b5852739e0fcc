"""Conversations in git: one commit a turn, one ref a branch, marks as notes (``formats.md``, "Turns")."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from gitmem.conversations.marks import add_mark, parse_marks
from gitmem.conversations.model import NodeId, SessionId, session_of
from gitmem.conversations.names import refuse_twins
from gitmem.errors import Code, Conflict, NotFound
from gitmem.format.layout import SESSIONS_PREFIX, parse_session_ref, session_ref
from gitmem.format.turn import Turn, parse_turn, render_turn
from gitmem.ids import Oid
from gitmem.request import Person
from gitmem.store.bulk_refs import move_together
from gitmem.store.commit_batch import CommitBatch
from gitmem.store.commits import Stamp, read_commit
from gitmem.store.durability import flush_filesystem
from gitmem.store.lock import write_lock
from gitmem.store.notes import Notes
from gitmem.store.refs import RefMove, first_parents, list_refs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.conversations.model import Mark, Session
    from gitmem.store.repository import Repo

LOCK_SECONDS = 5.0
"""How long the end of a batch waits for another writer, unless the caller says otherwise."""


class GitConversations:
    """The conversations in a workspace's repository."""

    def __init__(self, repo: Repo, *, lock_timeout: float = LOCK_SECONDS) -> None:
        """``lock_timeout`` in seconds."""
        self._repo = repo
        self._lock_timeout = lock_timeout
        self._notes: Notes | None = None
        self._open: GitBatch | None = None

    def sessions(self) -> tuple[Session, ...]:
        """Every conversation that has a branch, by provider and thread."""
        self._notes = None
        found: dict[SessionId, dict[str, NodeId]] = {}
        for session, branch, head in self._heads(SESSIONS_PREFIX):
            found.setdefault(session, {})[branch] = head
        return tuple(session_of(name, found[name]) for name in sorted(found))

    def session(self, session: SessionId) -> Session | None:
        """One conversation; ``None`` when it has no branch."""
        self._notes = None
        prefix = session_ref(session.provider, session.thread, "x").removesuffix("x")
        heads = {branch: head for _, branch, head in self._heads(prefix)}
        return session_of(session, heads) if heads else None

    def turn(self, node: NodeId) -> Turn:
        """The turn at a node.

        Raises ``NotFound`` when there is no such commit, ``Refused`` (``SESSION_NODES_UNAVAILABLE``) when it is none of
        a turn.
        """
        message = None if self._open is None else self._open.commits.message(Oid(node))
        if message is None:
            commit = read_commit(self._repo, Oid(node))
            if commit is None:
                raise NotFound(Code.SOURCE_NOT_FOUND, f"there is no turn {node}")
            message = commit.message
        return parse_turn(message)

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The node and its predecessors, newest first."""
        start: Oid | None = Oid(node)
        if self._open is not None:
            while start is not None and self._open.commits.message(start) is not None:
                yield NodeId(start)
                start = self._open.commits.parent(start)
        for passed in first_parents(self._repo, start) if start is not None else ():
            yield NodeId(passed.oid)

    def marks(self, node: NodeId) -> tuple[Mark, ...]:
        """What is noted on the node: what stood when conversations were last listed, and what this store marked since.

        One look at the notes serves the walk over a whole conversation.
        """
        if self._notes is None:
            self._notes = Notes(self._repo)
        return parse_marks(self._notes.read(Oid(node)))

    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        """Note on every node that it has been written: one commit of the notes."""
        with write_lock(self._repo, self._lock_timeout):
            notes = Notes(self._repo)
            notes.change((Oid(node) for node in nodes), lambda _, text: add_mark(text, mark), "gitmem: written")
        self._notes = notes

    @contextmanager
    def batch(self) -> Iterator[GitBatch]:
        """Open a batch: commits are kept aside as they come; at its end they are flushed, then refs move.

        One batch at a time is open in one store.
        """
        batch = self._open = GitBatch(self._repo)
        try:
            yield batch
            batch.commits.finish()
            if batch.moves:
                self._publish(batch.moves)
        except BaseException:
            batch.commits.discard()
            raise
        finally:
            self._open = None

    def _heads(self, prefix: str) -> Iterator[tuple[SessionId, str, NodeId]]:
        for ref in list_refs(self._repo, prefix):
            name = parse_session_ref(ref.name)
            if name is not None:  # somebody's own ref in gitmem's folder is none of ours
                yield SessionId(name.provider, name.thread), name.branch, NodeId(ref.oid)

    def _publish(self, moves: dict[str, RefMove]) -> None:
        """Flush the commits, then move every ref or, when one is not where it was, none."""
        if self._repo.fsync:
            flush_filesystem(self._repo.common_dir)
        with write_lock(self._repo, self._lock_timeout):
            standing = {ref.name: ref.oid for ref in list_refs(self._repo, SESSIONS_PREFIX)}
            for move in moves.values():
                if standing.get(move.name) != move.old:
                    raise Conflict(
                        Code.CONCURRENT_UPDATE,
                        f"{move.name.removeprefix(SESSIONS_PREFIX)} moved meanwhile; try again",
                        details={"ref": move.name},
                    )
            gone = {move.name for move in moves.values() if move.new is None}
            refuse_twins(standing.keys() - gone, [name for name in moves if name not in gone])
            move_together(self._repo, sorted(moves.values(), key=lambda move: move.new is None), "gitmem: conversation")


class GitBatch:
    """Additions to the conversations of one repository."""

    def __init__(self, repo: Repo) -> None:
        """Add to this repository."""
        self.commits = CommitBatch(repo)
        self.moves: dict[str, RefMove] = {}

    def add(self, turn: Turn, parent: NodeId | None) -> NodeId:
        """Write the turn's commit. The same turn after the same parent has the same id on every machine."""
        parts = render_turn(turn)
        author = Stamp(Person(parts.name, parts.email), parts.seconds, parts.offset)
        return NodeId(self.commits.add(parts.message, author, _oid(parent)))

    def point(self, session: SessionId, branch: str, head: NodeId | None, *, expected: NodeId | None) -> None:
        """Say where a branch ends when the batch does."""
        name = session_ref(session.provider, session.thread, branch)
        self.moves[name] = RefMove(name, _oid(expected), _oid(head))


def _oid(node: NodeId | None) -> Oid | None:
    return None if node is None else Oid(node)
