"""The manifest: which files the database holds the facts of, and how it comes to hold those of another commit."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from gitmem.catalog.documents import Documents
from gitmem.catalog.postings import Kind
from gitmem.catalog.sources import SourceWriter
from gitmem.catalog.topics import TopicWriter
from gitmem.facts.contribution import Contribution, contributes, contribution_of, of_topic
from gitmem.format.layout import FORGOTTEN, PROMOTIONS, is_topic
from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.database import Database, Reading
    from gitmem.format.model import Record
    from gitmem.store.tree import Change, Entry, Tree

MANY_FILES = 64
"""A difference of so many files is read without remembering what was parsed, which would fill the memory."""

_LEDGERS = frozenset({PROMOTIONS, FORGOTTEN})
_LEDGER_KIND = 3


def differing(database: Reading, old: Tree | None, new: Tree) -> dict[str, Entry | None]:
    """The contributing files whose entries in ``new`` are not the manifest's, ``None``: it has them no more.

    ``old`` is the tree of the manifest's commit, ``None`` when that is not in the repository any more: then every file
    is compared.
    """
    if old is not None:
        return {change.path: change.new for change in new.changes(old) if contributes(change.path)}
    known: dict[str, str] = dict(database.rows("SELECT path, blob FROM file"))
    found = {entry.path: entry for entry in new.entries() if contributes(entry.path)}
    changed: dict[str, Entry | None] = {path: e for path, e in found.items() if known.get(path) != e.oid}
    return changed | dict.fromkeys(known.keys() - found.keys())


def combined(steps: Iterable[Iterable[Change]]) -> dict[str, Entry | None]:
    """``differing`` from what each of the commits in between changed, oldest first."""
    before: dict[str, Entry | None] = {}
    after: dict[str, Entry | None] = {}
    for change in chain.from_iterable(steps):
        if contributes(change.path):
            before.setdefault(change.path, change.old)
            after[change.path] = change.new
    return {path: entry for path, entry in after.items() if entry != before[path]}


def read_topic(tree: Tree, path: str, *, remember: bool) -> Contribution:
    """A topic's contribution; not remembering keeps the parsed values of a whole workspace out of the memory."""
    if remember:
        return contribution_of(tree, path) or Contribution()
    return of_topic(parse_topic(TopicPath(path), (tree.read(path) or b"").decode("utf-8", "replace")))


class ManifestWriter:
    """Moves the manifest to another tree in one write transaction.

    The chain reads most topics anyway: what it has parsed it may ``offer``, so that nothing is parsed twice.
    """

    def __init__(
        self, database: Database, generation: int, wanted: dict[str, Entry | None], tree: Tree, *, complete: bool
    ) -> None:
        """Take the files to change, as ``differing`` gives them, and the tree that has them.

        Unless ``complete``, new documents wait for their postings.
        """
        self._database = database
        self._wanted = dict(wanted)
        self._tree = tree
        self._many = len(wanted) > MANY_FILES
        self._documents = Documents(database, generation, complete=complete)
        self._topics = TopicWriter(database, self._documents)
        self._sources = SourceWriter(database, self._documents)

    def holds(self, path: str, entry: Entry | None) -> bool:
        """Whether the database has the facts of exactly this file, ``None``: of none."""
        row = self._database.row("SELECT blob FROM file WHERE path = ?", (path,))
        return entry is None if row is None else entry is not None and row[0] == entry.oid

    def offer(self, entry: Entry, contribution: Contribution) -> None:
        """Take a parsed topic if it is what the manifest shall hold."""
        if self._wants(entry):
            self._topics.put(self._file(entry), contribution)

    def offer_archive(self, entry: Entry, tree: Tree) -> tuple[Record, ...] | None:
        """Take an archive if it is what the manifest shall hold, and give the records that are new to it."""
        if not self._wants(entry):
            return None
        return self._sources.put_archive(self._file(entry), entry.path, tree.read(entry.path) or b"")

    def _wants(self, entry: Entry) -> bool:
        if self._wanted.get(entry.path) != entry:
            return False
        del self._wanted[entry.path]
        return True

    def finish(self) -> None:
        """Take the files that nobody offered, and complete the change."""
        for path, entry in sorted(self._wanted.items()):
            if entry is None:
                self._drop(path)
            else:
                self._put(entry)
        self._sources.settle(self._topics.cited)
        self._documents.finish()

    def _put(self, entry: Entry) -> None:
        path = entry.path
        if is_topic(path):
            self._topics.put(self._file(entry), read_topic(self._tree, path, remember=not self._many))
        elif path in _LEDGERS:
            self._sources.put_ledger(self._file(entry), path, self._tree.read(path) or b"")
        else:
            self._sources.put_archive(self._file(entry), path, self._tree.read(path) or b"")

    def _file(self, entry: Entry) -> int:
        """The id of the path's row, which now says that this blob was read."""
        path, blob = entry.path, entry.oid
        row = self._database.row("SELECT id FROM file WHERE path = ?", (path,))
        if row is not None:
            self._database.execute("UPDATE file SET blob = ? WHERE id = ?", (blob, row[0]))
            return int(row[0])
        kind = _kind(path)
        self._database.execute("INSERT INTO file (path, blob, kind) VALUES (?, ?, ?)", (path, blob, kind))
        self._documents.totals[_COUNTERS[kind]] += 1
        return self._database.number("SELECT id FROM file WHERE path = ?", (path,))

    def _drop(self, path: str) -> None:
        file, kind = self._database.numbers("SELECT id, kind FROM file WHERE path = ?", (path,))
        if kind == Kind.BLOCK:
            self._topics.drop(file)
        elif kind == Kind.SOURCE:
            self._sources.drop_archive(file)
        else:
            self._sources.drop_ledger(path)
        self._database.execute("DELETE FROM file WHERE id = ?", (file,))
        self._documents.totals[_COUNTERS[kind]] -= 1


_COUNTERS = {Kind.BLOCK: "topics", Kind.SOURCE: "archives", _LEDGER_KIND: "ledgers"}


def _kind(path: str) -> int:
    if is_topic(path):
        return Kind.BLOCK
    return _LEDGER_KIND if path in _LEDGERS else Kind.SOURCE
