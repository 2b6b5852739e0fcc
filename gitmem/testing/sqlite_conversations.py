"""A conversation store in one SQLite file: what a host with a database of its own may write, on its own terms.

It shares no code with the store in git but the values, the names that are twins, and the form of a turn.
"""

from __future__ import annotations

import hashlib
import sqlite3
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gitmem.conversations.model import Mark, NodeId, Outline, SessionId, session_of
from gitmem.conversations.names import refuse_twins
from gitmem.conversations.speaking import is_eligible, person_of
from gitmem.errors import Code, Conflict, NotFound
from gitmem.format.layout import session_ref
from gitmem.format.turn import parse_turn, render_turn
from gitmem.ids import Oid, WorkspaceId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from gitmem.conversations.model import Session
    from gitmem.format.turn import Turn

PATIENCE_SECONDS = 30.0
"""How long to wait for another process that writes."""

_TABLES = """
CREATE TABLE IF NOT EXISTS turn (
    node TEXT PRIMARY KEY, parent TEXT, provider TEXT NOT NULL, thread TEXT NOT NULL, id TEXT NOT NULL,
    depth INTEGER NOT NULL, eligible INTEGER NOT NULL, person TEXT, message TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS turn_id ON turn (provider, thread, id);
CREATE TABLE IF NOT EXISTS branch (
    provider TEXT, thread TEXT, name TEXT, head TEXT NOT NULL, PRIMARY KEY (provider, thread, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mark (node TEXT, workspace TEXT, memory TEXT, PRIMARY KEY (node, workspace, memory))
WITHOUT ROWID;
"""
_LEADS_TO = """
WITH RECURSIVE up (node, parent) AS (
    SELECT node, parent FROM turn WHERE node = ?
    UNION ALL SELECT turn.node, turn.parent FROM up JOIN turn ON turn.node = up.parent WHERE turn.depth >= ?
) SELECT 1 FROM up WHERE node = ?
"""
_PERSONS = """
WITH RECURSIVE up (node, parent, person) AS (
    SELECT node, parent, person FROM turn WHERE node = ?
    UNION ALL SELECT turn.node, turn.parent, turn.person FROM up JOIN turn ON turn.node = up.parent
) SELECT person, node FROM up WHERE person IS NOT NULL
"""


class SqliteConversations:
    """Conversations in a file that any number of processes may have open; for one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open the file; it is made where there is none."""
        self._database = sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)
        weakref.finalize(self, self._database.close)
        self._database.executescript(_TABLES)
        self._open: SqliteBatch | None = None

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def sessions(self) -> tuple[Session, ...]:
        """Every conversation that has a branch, by provider and thread."""
        found: dict[SessionId, dict[str, NodeId]] = {}
        for provider, thread, name, head in self._rows("SELECT provider, thread, name, head FROM branch"):
            found.setdefault(SessionId(provider, thread), {})[name] = NodeId(head)
        return tuple(session_of(session, found[session]) for session in sorted(found))

    def session(self, session: SessionId) -> Session | None:
        """One conversation; ``None`` when it has no branch."""
        rows = self._rows("SELECT name, head FROM branch WHERE provider = ? AND thread = ?", *_names(session))
        return session_of(session, {name: NodeId(head) for name, head in rows}) if rows else None

    def turn(self, node: NodeId) -> Turn:
        """The turn at a node. Raises ``NotFound`` when there is none."""
        return parse_turn(self._row(node)["message"])

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The node and its predecessors, newest first."""
        return (found.node for found in self.outline(node))

    def outline(self, node: NodeId) -> Iterator[Outline]:
        """What is to be known of the node and its predecessors."""
        step: NodeId | None = node
        while step is not None:
            row = self._row(step)
            yield Outline(step, row["id"], row["depth"], bool(row["eligible"]))
            step = row["parent"]

    def find(self, session: Session, turn_id: str) -> NodeId | None:
        """The node of the turn of that id, if a branch leads to it."""
        found = self._rows(
            "SELECT node, depth FROM turn WHERE provider = ? AND thread = ? AND id = ?", *_names(session.id), turn_id
        )
        for node, depth in found:
            for branch in session.every_branch:
                if self._rows(_LEADS_TO, branch.head, depth, node):
                    return NodeId(node)
        return None

    def speakers(self, session: Session) -> Mapping[str, NodeId]:
        """Who has spoken, each with one of their turns."""
        rows = (row for branch in session.every_branch for row in self._rows(_PERSONS, branch.head))
        return {person: NodeId(node) for person, node in rows}

    def marks(self, node: NodeId) -> tuple[Mark, ...]:
        """What is noted on the node."""
        rows = self._rows("SELECT workspace, memory FROM mark WHERE node = ? ORDER BY workspace, memory", node)
        return tuple(Mark(WorkspaceId(workspace), Oid(memory)) for workspace, memory in rows)

    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        """Note on every node that it has been written."""
        rows = [(node, mark.workspace, mark.commit) for node in nodes]
        with self._writing():
            self._database.executemany("INSERT OR IGNORE INTO mark VALUES (?, ?, ?)", rows)

    @contextmanager
    def batch(self) -> Iterator[SqliteBatch]:
        """Open a batch: what it adds is written at its end, in one transaction."""
        batch = self._open = SqliteBatch(self)
        try:
            yield batch
            with self._writing():
                self._publish(batch)
        finally:
            self._open = None

    def _publish(self, batch: SqliteBatch) -> None:
        for (session, name), (_, expected) in batch.pointed.items():
            standing = self.session(session)
            branches = standing.every_branch if standing else ()
            if next((branch.head for branch in branches if branch.name == name), None) != expected:
                raise Conflict(Code.CONCURRENT_UPDATE, f"{session} moved meanwhile; try again")
        rows = [tuple(row[name] for name in _COLUMNS) for row in batch.added.values()]
        self._database.executemany("INSERT OR IGNORE INTO turn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        for (session, name), (head, _) in batch.pointed.items():
            self._rows("DELETE FROM branch WHERE provider = ? AND thread = ? AND name = ?", *_names(session), name)
            if head is not None:
                self._rows("INSERT INTO branch VALUES (?, ?, ?, ?)", *_names(session), name, head)
        refuse_twins((), [session_ref(*row) for row in self._rows("SELECT provider, thread, name FROM branch")])

    def _row(self, node: NodeId) -> Mapping[str, Any]:
        if self._open is not None and node in self._open.added:
            return self._open.added[node]
        rows = self._rows("SELECT * FROM turn WHERE node = ?", node)
        if not rows:
            raise NotFound(Code.SOURCE_NOT_FOUND, f"there is no turn {node}")
        return dict(zip(_COLUMNS, rows[0], strict=True))

    def depth(self, node: NodeId | None) -> int:
        """How many turns lead to a node, itself included."""
        return 0 if node is None else int(self._row(node)["depth"])

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._database.execute(sql, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.rollback()
            raise
        self._database.commit()


_COLUMNS = ("node", "parent", "provider", "thread", "id", "depth", "eligible", "person", "message")


class SqliteBatch:
    """Additions that wait in memory."""

    def __init__(self, store: SqliteConversations) -> None:
        """Add to this store."""
        self._store = store
        self.added: dict[NodeId, Mapping[str, Any]] = {}
        self.pointed: dict[tuple[SessionId, str], tuple[NodeId | None, NodeId | None]] = {}

    def add(self, turn: Turn, parent: NodeId | None) -> NodeId:
        """Keep a turn after ``parent``."""
        message = render_turn(turn).message
        node = NodeId(hashlib.sha256(f"{parent}\n{message}".encode()).hexdigest())
        values = (node, parent, turn.provider, turn.thread, turn.id, self._store.depth(parent) + 1)
        said = (is_eligible(turn), person_of(turn), message)
        self.added[node] = dict(zip(_COLUMNS, (*values, *said), strict=True))
        return node

    def point(self, session: SessionId, branch: str, head: NodeId | None, *, expected: NodeId | None) -> None:
        """Say where a branch ends when the batch does."""
        session_ref(session.provider, session.thread, branch)
        self.pointed[session, branch] = (head, expected)


def _names(session: SessionId) -> tuple[str, str]:
    return session.provider, session.thread
