"""The chain of first parents: which commits there are, what each did, and in which order block ids appeared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.catalog.manifest import MANY_FILES
from gitmem.catalog.parsed import Parsed
from gitmem.catalog.step import Event, events, is_derive, touched
from gitmem.catalog.values import unpack_claim
from gitmem.facts.contribution import Contribution
from gitmem.ids import ZERO_OID, Oid, TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.catalog.commits import Commits
    from gitmem.catalog.database import Database, Reading
    from gitmem.catalog.manifest import ManifestWriter
    from gitmem.format.model import Claim, Record
    from gitmem.store.tree import Change, Entry, Tree

HELD_EVENTS = 5000
"""How many events of one commit are held in memory before they are written."""


def missing_commits(database: Reading, commits: Commits, tip: Oid) -> tuple[int, list[Oid]]:
    """Where the chain and the tip's first parents part: the last common ``seq`` (-1: none), and the commits after it.

    The commits come oldest first. A parent that is not here (a shallow clone) ends the line as a root does.
    """
    missing: list[Oid] = []
    commit: Oid | None = None if tip == ZERO_OID else tip
    while commit is not None:
        found = database.row("SELECT seq FROM chain WHERE oid = ?", (commit,))
        if found is not None:
            return found[0], missing[::-1]
        parents = commits.parents(commit)
        if parents is None:
            break
        missing.append(commit)
        commit = parents[0] if parents else None
    return -1, missing[::-1]


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the line with the files on its two sides; ``parents`` is how many it has."""

    oid: Oid
    parents: int
    before: Tree
    after: Tree
    changes: tuple[Change, ...]


def read_line(commits: Commits, before: Oid, missing: Iterable[Oid]) -> Iterator[Commit]:
    """Consecutive commits of a line, oldest first; ``before`` is the one they follow, or the zero id."""
    old = commits.tree(before)
    for oid in missing:
        new = commits.tree(oid)
        yield Commit(oid, len(commits.parents(oid) or ()), old, new, new.changes(old))
        old = new


class ChainWriter:
    """Brings the chain to another tip in one write transaction."""

    def __init__(self, database: Database, manifest: ManifestWriter) -> None:
        """Take a database in a write transaction, and the manifest's writer, which may take what is read here."""
        self._database = database
        self._manifest = manifest

    def truncate(self, seq: int) -> None:
        """Forget what came after a commit of the chain."""
        row = self._database.row("SELECT created FROM chain WHERE seq = ?", (seq,))
        for table in ("chain", "event", "touched"):
            self._database.execute(f"DELETE FROM {table} WHERE seq > ?", (seq,))  # noqa: S608  (names from here)
        self._database.execute("DELETE FROM block WHERE created >= ?", (row[0] if row else 0,))

    def append(self, seq: int, missing: Iterable[Commit], *, few: bool) -> None:
        """Add commits after the one that has this ``seq``; ``few`` says that what they hold fits in memory."""
        parsed = Parsed(shared=few)
        for place, commit in enumerate(missing, seq + 1):
            self._add(place, commit, parsed)

    def _add(self, seq: int, commit: Commit, parsed: Parsed) -> None:
        derive = is_derive(commit.parents, commit.changes)
        if not derive:
            self._touch(seq, commit.changes)
            reader = _Reading(self._database, self._manifest, commit, parsed)
            self._note(seq, events(commit.changes, reader))
        created = self._database.number("SELECT coalesce(max(created), -1) + 1 FROM block")
        self._database.execute("INSERT INTO chain VALUES (?, ?, ?, ?)", (seq, commit.oid, derive, created))

    def _touch(self, seq: int, changes: Iterable[Change]) -> None:
        paths = [(path, seq) for path in touched(changes)]
        self._database.many("INSERT OR IGNORE INTO touched VALUES (?, ?)", paths)

    def _note(self, seq: int, told: Iterator[Event]) -> None:
        held: list[tuple[int, str, str, str, int, str | None]] = []
        for event in told:
            held.append((seq, event.kind.value, event.id, event.path, event.ordinal, event.other))
            if len(held) >= HELD_EVENTS:
                self._database.many("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", held)
                held = []
        self._database.many("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", held)


class _Reading:
    """Reads a commit's two sides; what the manifest holds of the old one is not parsed, what it wants is handed on."""

    def __init__(self, database: Database, manifest: ManifestWriter, commit: Commit, parsed: Parsed) -> None:
        self._database = database
        self._manifest = manifest
        self._parsed = parsed
        self._old = commit.before
        self._new = commit.after
        self._few = len(commit.changes) <= MANY_FILES
        self._next = database.number("SELECT coalesce(max(created), -1) + 1 FROM block")

    def before(self, entry: Entry) -> Contribution:
        if self._manifest.holds(entry.path, entry):
            return Contribution(claims=known_claims(self._database, TopicPath(entry.path)))
        return self._parsed.topic(self._old, entry, shared=self._few)

    def after(self, entry: Entry) -> Contribution:
        contribution = self._parsed.topic(self._new, entry, shared=self._few)
        self.number(contribution.claims)
        self._manifest.offer(entry, contribution)
        return contribution

    def number(self, claims: Iterable[Claim]) -> None:
        for claim in claims:
            for block_id in claim.ids:
                self._next += self._database.execute(
                    "INSERT OR IGNORE INTO block SELECT ?, ?, (SELECT count(*) FROM ident WHERE id = ? AND own = 1)",
                    (self._next, block_id, block_id),
                )

    def archived(self, change: Change) -> Iterable[Record]:
        if change.new is None:
            return ()
        if self._manifest.holds(change.path, change.old):
            taken = self._manifest.offer_archive(change.new, self._new)
            if taken is not None:
                return taken
        old = self._parsed.archive(self._old, change.old).records if change.old else ()
        known = {record.handle for record in old}
        new = self._parsed.archive(self._new, change.new).records
        return [record for record in new if record.handle not in known]


def known_claims(database: Database, path: TopicPath) -> tuple[Claim, ...]:
    """The claims of one file of the manifest, in file order."""
    rows = database.rows(
        "SELECT ordinal, line, data FROM claim WHERE file = (SELECT id FROM file WHERE path = ?) ORDER BY ordinal",
        (path,),
    )
    return tuple(unpack_claim(path, *row) for row in rows)
