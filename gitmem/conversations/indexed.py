"""The index of turns, kept in step with the branches; what becomes of it when its file is missing or damaged.

``.git/gitmem/turns.sqlite`` can be deleted at any time: the conversations that are asked about are read again.
"""

from __future__ import annotations

import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from gitmem.catalog.database import Damaged, Database, ReadOnly, wipe
from gitmem.conversations.model import Outline, SessionId
from gitmem.conversations.turn_index import TABLES, VERSION, Entry, TurnIndex
from gitmem.errors import GitmemError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from gitmem.conversations.model import NodeId, Session
    from gitmem.format.turn import Turn

A = TypeVar("A")

Ends = tuple["Sequence[NodeId]", "Sequence[NodeId]"]
"""Where the branches of a conversation ended before a batch, and where they end after it."""

FILE = "turns.sqlite"


class Source(Protocol):
    """What the index is made from."""

    def heads(self, session: SessionId) -> Sequence[NodeId]:
        """Where every branch of a conversation ends now, archived ones included."""
        ...

    def listed(self, session: SessionId) -> Sequence[NodeId]:
        """Where they ended when all conversations were last listed; empty when they were not."""
        ...

    def turn(self, node: NodeId) -> Turn:
        """The turn at a node."""
        ...

    def entry(self, node: NodeId) -> Entry:
        """What the index holds of the turn at a node."""
        ...

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The node and its predecessors."""
        ...


class IndexedTurns:
    """Answers from the index, bringing it up to date first. A file that cannot be used is replaced by memory."""

    def __init__(self, source: Source, path: Path | None) -> None:
        """Nothing is opened before the first question; ``path`` ``None`` keeps the index in memory."""
        self._source = source
        self._path = path
        self._database: Database | None = None
        self._followed: dict[SessionId, frozenset[NodeId]] = {}
        self._asked: Session | None = None

    def close(self) -> None:
        """Let go of the file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def find(self, session: Session, turn_id: str) -> NodeId | None:
        """The node of the turn of that id."""
        try:
            return self._about(session, lambda index: index.find(str(session.id), turn_id))
        except UnicodeEncodeError:
            return None  # what is no Unicode text is no turn's id

    def speakers(self, session: Session) -> Mapping[str, NodeId]:
        """Who has spoken, each with one of their turns."""
        return self._about(session, lambda index: index.speakers(str(session.id)))

    def outline(self, node: NodeId) -> Iterator[Outline]:
        """What is to be known of the node and its predecessors."""
        last: Outline | None = None
        for last in self._line(node):
            yield last
        if last is None:
            turn = self._source.turn(node)
            self._ask(lambda index: self._update(index, SessionId(turn.provider, turn.thread)))
            for last in self._line(node):
                yield last
        if last is None or last.depth > 1:  # on no branch, or the rows went away meanwhile
            yield from self._walk(node, last)

    def absorb(self, touched: Mapping[SessionId, Ends], new: Mapping[NodeId, Entry]) -> None:
        """Take in turns that were just added.

        A conversation that the index did not follow up to there is left for the next question.
        """

        def take(index: TurnIndex) -> None:
            with self._open().writing():
                for session, (before, after) in touched.items():
                    if index.tips(str(session)) == frozenset(before):
                        index.follow(str(session), after, lambda node: new.get(node) or self._source.entry(node))
                        self._followed[session] = frozenset(after)

        with suppress(GitmemError):  # a branch that leads to no turns is for whoever reads it
            self._ask(take)

    # --- keeping in step

    def _about(self, session: Session, question: Callable[[TurnIndex], A]) -> A:
        def ask(index: TurnIndex) -> A:
            self._follow(index, session)
            return question(index)

        return self._ask(ask)

    def _follow(self, index: TurnIndex, session: Session) -> None:
        if session is self._asked:  # thousands of questions about one value
            return
        heads = frozenset(branch.head for branch in session.every_branch)
        if self._followed.get(session.id) != heads and index.tips(str(session.id)) != heads:
            self._update(index, session.id)
        self._followed[session.id] = heads
        self._asked = session

    def _update(self, index: TurnIndex, session: SessionId) -> None:
        """Follow the branches as they are now: looked at under the index's lock, they are never older than its rows.

        What has no rows yet may follow what was listed last, which spares another look at the refs.
        """
        with self._open().writing():
            listed = () if index.tips(str(session)) else self._source.listed(session)
            index.follow(str(session), listed or self._source.heads(session), self._source.entry)

    def _walk(self, node: NodeId, last: Outline | None) -> Iterator[Outline]:
        """Read on where the index ends."""
        start = node if last is None else last.node
        depth = sum(1 for _ in self._source.lineage(node)) if last is None else last.depth
        for place, step in enumerate(self._source.lineage(start)):
            if last is None or place:
                entry = self._source.entry(step)
                yield Outline(step, entry.id, depth - place, entry.eligible)

    # --- the file

    def _line(self, node: NodeId) -> Iterator[Outline]:
        try:
            yield from TurnIndex(self._open()).line(node)
        except Damaged:
            self._replace()
        except (ReadOnly, Unavailable):
            self._keep_in_memory()

    def _ask(self, question: Callable[[TurnIndex], A]) -> A:
        for _ in range(2):
            try:
                return question(TurnIndex(self._open()))
            except Damaged:
                self._replace()
            except (ReadOnly, Unavailable):
                self._keep_in_memory()
        return question(TurnIndex(self._open()))

    def _open(self) -> Database:
        if self._database is None:
            self._database = Database(self._path, TABLES, VERSION)
            weakref.finalize(self, self._database.close)
        return self._database

    def _forget(self) -> None:
        self.close()
        self._followed.clear()
        self._asked = None

    def _replace(self) -> None:
        """Empty a damaged file; while others have it open, this process does without."""
        self._forget()
        if self._path is None or not wipe(self._path):
            self._path = None

    def _keep_in_memory(self) -> None:
        self._forget()
        self._path = None
