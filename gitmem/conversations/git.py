"""Conversations in git: one commit a turn, one ref a branch, marks as notes (``formats.md``, "Turns")."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from gitmem.conversations.git_batch import GitBatch
from gitmem.conversations.git_turns import GitTurns
from gitmem.conversations.indexed import FILE, IndexedTurns
from gitmem.conversations.marks import add_mark, parse_marks
from gitmem.conversations.model import Outline, session_of
from gitmem.ids import Oid
from gitmem.store.durability import flush_filesystem
from gitmem.store.lock import write_lock
from gitmem.store.notes import Notes
from gitmem.store.repository import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.conversations.model import Mark, NodeId, Session, SessionId
    from gitmem.conversations.turn_index import Entry
    from gitmem.format.turn import Turn
    from gitmem.store.repository import Repo

LOCK_SECONDS = 5.0
"""How long the end of a batch waits for another writer, unless the caller says otherwise."""


class GitConversations:
    """The conversations in a workspace's repository."""

    def __init__(self, repo: Repo, *, lock_timeout: float = LOCK_SECONDS) -> None:
        """``lock_timeout`` in seconds."""
        self._repo = repo
        self._turns = GitTurns(repo)
        self._lock_timeout = lock_timeout
        self._notes: Notes | None = None
        self._open: GitBatch | None = None

    def close(self) -> None:
        """Let go of the index of turns; it is opened again when it is needed."""
        if "_index" in self.__dict__:
            self._index.close()

    # --- conversations and their turns

    def sessions(self) -> tuple[Session, ...]:
        """Every conversation that has a branch, by provider and thread."""
        self._notes = None
        return tuple(session_of(name, heads) for name, heads in sorted(self._turns.branches().items()))

    def session(self, session: SessionId) -> Session | None:
        """One conversation; ``None`` when it has no branch."""
        self._notes = None
        heads = self._turns.branches_of(session)
        return session_of(session, heads) if heads else None

    def turn(self, node: NodeId) -> Turn:
        """The turn at a node.

        Raises ``NotFound`` when there is no such commit, ``Refused`` (``SESSION_NODES_UNAVAILABLE``) when it is none of
        a turn.
        """
        if self._open is not None and node in self._open.entries:
            return self._open.turn(node)
        return self._turns.turn(node)

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The node and its predecessors, newest first."""
        start: NodeId | None = node
        for entry in self._added(node):
            yield entry.node
            start = entry.parent
        if start is not None:
            yield from self._turns.lineage(start)

    def outline(self, node: NodeId) -> Iterator[Outline]:
        """What is to be known of the node and its predecessors, from an index; newest first."""
        own = tuple(self._added(node))
        start = own[-1].parent if own else node
        before = iter(()) if start is None else self._index.outline(start)
        rest = tuple(islice(before, 1)) if own else ()
        depth = len(own) + sum(first.depth for first in rest)
        for place, entry in enumerate(own):
            yield Outline(entry.node, entry.id, depth - place, entry.eligible)
        yield from chain(rest, before)

    def find(self, session: Session, turn_id: str) -> NodeId | None:
        """The node of the turn of that id on a branch of the conversation, from an index."""
        return self._index.find(session, turn_id)

    def speakers(self, session: Session) -> Mapping[str, NodeId]:
        """Who has spoken on a branch of the conversation, from an index."""
        return self._index.speakers(session)

    # --- marks

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

    # --- growing

    @contextmanager
    def batch(self) -> Iterator[GitBatch]:
        """Open a batch: commits are kept aside as they come; at its end they are flushed, then refs move.

        One batch at a time is open in one store.
        """
        batch = self._open = GitBatch(self._repo)
        try:
            yield batch
            batch.commits.finish()
            if batch.touched:
                self._publish(batch)
        except BaseException:
            batch.commits.discard()
            raise
        finally:
            self._open = None

    def _publish(self, batch: GitBatch) -> None:
        """Flush the commits, move the refs, and tell the index, which is a cache: nothing depends on its success."""
        if self._repo.fsync:
            flush_filesystem(self._repo.common_dir)
        with write_lock(self._repo, self._lock_timeout):
            ends = batch.publish()
        self._index.absorb(ends, batch.entries)

    def _added(self, node: NodeId) -> Iterator[Entry]:
        """What the open batch added of a line."""
        return iter(()) if self._open is None else self._open.own_line(node)

    @cached_property
    def _index(self) -> IndexedTurns:
        try:
            self._repo.gitmem_dir.mkdir(mode=PRIVATE, exist_ok=True)
        except OSError:
            return IndexedTurns(self._turns, None)
        return IndexedTurns(self._turns, self._repo.gitmem_dir / FILE)
