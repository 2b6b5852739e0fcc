"""Where every turn stands, so that a conversation need not be read to find one of its turns.

The tables hold, for each conversation, the turns that its branches led to when they were last looked at (``tip``). What
stands in a row is never wrong: a turn's commit says the same for ever. Which rows there are follows the branches: they
grow by what is new, and a conversation one of whose branches went away is read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.conversations.model import NodeId, Outline
from gitmem.conversations.speaking import is_eligible, person_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.catalog.database import Database
    from gitmem.format.turn import Turn

VERSION = 2
"""Counts up whenever a table changes, or what makes a turn eligible."""

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE session (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE tip (session INTEGER, node BLOB, PRIMARY KEY (session, node)) WITHOUT ROWID;
CREATE TABLE turn (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: a walk under way must not end up elsewhere
    session INTEGER NOT NULL,
    node BLOB NOT NULL,
    parent INTEGER, -- the turn before
    depth INTEGER NOT NULL,
    eligible INTEGER NOT NULL,
    name TEXT NOT NULL -- its id in the conversation
);
CREATE UNIQUE INDEX turn_node ON turn (node, session);
CREATE INDEX turn_name ON turn (session, name);
CREATE TABLE speaker (session INTEGER, name TEXT, node BLOB, PRIMARY KEY (session, name)) WITHOUT ROWID;
"""

_FIRST_STEPS, _MOST_STEPS = 16, 4096
"""How many turns of a line are read at once: few, then more, as whoever asked goes on asking."""

_LINE = """
WITH RECURSIVE line (id) AS (
    SELECT ?
    UNION ALL SELECT turn.parent FROM line JOIN turn ON turn.id = line.id WHERE turn.parent IS NOT NULL LIMIT ?
)
SELECT node, name, depth, eligible, parent FROM line JOIN turn ON turn.id = line.id ORDER BY depth DESC
"""


class Entry(NamedTuple):
    """What the index holds of one turn."""

    node: NodeId
    parent: NodeId | None
    id: str
    eligible: bool
    person: str | None

    @classmethod
    def of(cls, node: NodeId, parent: NodeId | None, turn: Turn) -> Entry:
        """Take it from the turn."""
        return cls(node, parent, turn.id, is_eligible(turn), person_of(turn))


class _Way(NamedTuple):
    """What leads from a tip to what is known: oldest first, and the known turn that it follows."""

    entries: Sequence[Entry]
    start: NodeId | None


class TurnIndex:
    """The tables in one database. Raises what ``Database`` raises."""

    def __init__(self, database: Database) -> None:
        """Use a database that has the tables."""
        self._database = database

    # --- reading

    def tips(self, session: str) -> frozenset[NodeId]:
        """The ends that the conversation's rows lead to."""
        rows = self._database.rows(
            "SELECT node FROM tip JOIN session ON session.id = tip.session WHERE session.name = ?", (session,)
        )
        return frozenset(_node(row[0]) for row in rows)

    def find(self, session: str, turn_id: str) -> NodeId | None:
        """The first turn of that id."""
        row = self._database.row(
            "SELECT node FROM turn WHERE session = (SELECT id FROM session WHERE name = ?) AND name = ?"
            " ORDER BY id LIMIT 1",
            (session, turn_id),
        )
        return None if row is None else _node(row[0])

    def speakers(self, session: str) -> dict[str, NodeId]:
        """Who has spoken, each with one of their turns."""
        rows = self._database.rows(
            "SELECT speaker.name, node FROM speaker JOIN session ON session.id = speaker.session"
            " WHERE session.name = ?",
            (session,),
        )
        return {name: _node(node) for name, node in rows}

    def line(self, node: NodeId) -> Iterator[Outline]:
        """The turn and those before it, newest first; it ends early where rows go away meanwhile."""
        found = self._database.row("SELECT id FROM turn WHERE node = ?", (bytes.fromhex(node),))
        place, steps = (None if found is None else found[0]), _FIRST_STEPS
        while place is not None:
            rows = self._database.rows(_LINE, (place, steps))
            for row in rows:
                yield Outline(_node(row[0]), row[1], row[2], bool(row[3]))
            place, steps = (rows[-1][4] if rows else None), min(4 * steps, _MOST_STEPS)

    # --- writing

    def follow(self, session: str, heads: Sequence[NodeId], read: Callable[[NodeId], Entry]) -> None:
        """Hold the turns that the heads lead to, and no others; inside a write transaction.

        ``read`` is asked for the turns that are not held yet, newest first on each branch.
        """
        key = self._session(session)
        before = self.tips(session)
        ways = self._extend(key, heads, read)
        if not before <= {*heads, *(way.start for way in ways)}:
            for table in ("turn", "speaker"):
                self._database.execute(f"DELETE FROM {table} WHERE session = ?", (key,))  # noqa: S608 - fixed names
            self._extend(key, heads, read)
        self._database.execute("DELETE FROM tip WHERE session = ?", (key,))
        self._database.many("INSERT INTO tip VALUES (?, ?)", [(key, bytes.fromhex(head)) for head in set(heads)])

    def _session(self, name: str) -> int:
        self._database.execute("INSERT OR IGNORE INTO session (name) VALUES (?)", (name,))
        return self._database.number("SELECT id FROM session WHERE name = ?", (name,))

    def _extend(self, key: int, heads: Sequence[NodeId], read: Callable[[NodeId], Entry]) -> list[_Way]:
        ways = []
        for head in heads:
            way = self._way(key, head, read)
            self._insert(key, way)
            ways.append(way)
        return ways

    def _way(self, key: int, head: NodeId, read: Callable[[NodeId], Entry]) -> _Way:
        entries: list[Entry] = []
        node: NodeId | None = head
        while node is not None and self._place(key, node) is None:
            entries.append(read(node))
            node = entries[-1].parent
        return _Way(entries[::-1], node)

    def _place(self, key: int, node: NodeId) -> tuple[int, int] | None:
        """The row and the depth of a turn of the conversation."""
        return self._database.row(
            "SELECT id, depth FROM turn WHERE node = ? AND session = ?", (bytes.fromhex(node), key)
        )

    def _insert(self, key: int, way: _Way) -> None:
        place = None if way.start is None else self._place(key, way.start)
        before, depth = place or (None, 0)
        last = self._database.row("SELECT seq FROM sqlite_sequence WHERE name = 'turn'")
        first = 1 + (0 if last is None else last[0])
        rows = []
        for step, entry in enumerate(way.entries):
            node = bytes.fromhex(entry.node)
            rows.append((first + step, key, node, before, depth + step + 1, entry.eligible, entry.id))
            before = first + step
        self._database.many("INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        spoke = {entry.person: bytes.fromhex(entry.node) for entry in way.entries if entry.person is not None}
        self._database.many(
            "INSERT OR REPLACE INTO speaker VALUES (?, ?, ?)", [(key, name, node) for name, node in spoke.items()]
        )


def _node(data: bytes) -> NodeId:
    return NodeId(data.hex())
