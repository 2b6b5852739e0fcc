"""The memory at another commit than the one the database holds: its facts and history, laid over by difference.

Nothing is written: what differs is read from the repository and kept in memory while the question lasts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.catalog.chain import missing_commits, read_line
from gitmem.catalog.history import ChainLink, Step, in_order
from gitmem.catalog.step import events, is_derive, touched
from gitmem.facts.contribution import Contribution, contribution_of
from gitmem.facts.order import newest, number_new
from gitmem.facts.overlay import OverlayFacts
from gitmem.ids import ZERO_OID, Oid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.catalog.chain import Commit
    from gitmem.catalog.commits import Commits
    from gitmem.catalog.database import Reading
    from gitmem.catalog.facts import CatalogFacts
    from gitmem.format.model import Claim, Record
    from gitmem.ids import BlockId
    from gitmem.store.tree import Change, Entry


@dataclass(frozen=True, slots=True)
class Line:
    """A commit's first-parent line: the database's chain up to ``seq``, then the steps ``beyond`` it.

    ``count`` is how many ids had appeared at ``seq``, ``created`` numbers those that appeared beyond it.
    """

    seq: int
    count: int
    beyond: tuple[Step, ...]
    created: Mapping[BlockId, int]


class PastFacts(OverlayFacts):
    """``Facts`` of another commit: ids that only appeared after it, or on another line, were not created yet."""

    def __init__(self, base: CatalogFacts, changed: Mapping[str, Contribution | None], line: Line) -> None:
        """Lay the other commit's files over the database's facts."""
        super().__init__(base, changed)
        self._catalog = base
        self._line = line

    def created(self, block_id: BlockId) -> int | None:
        """The id's place in the creation order of the other commit's own line."""
        known = self._base.created(block_id)
        return known if known is not None and known < self._line.count else self._line.created.get(block_id)

    def created_count(self) -> int:
        """How many ids had appeared by then."""
        return self._line.count + len(self._line.created)

    def recent(self, limit: int) -> tuple[Claim, ...]:
        """The last claims by creation."""
        if limit <= 0:
            return ()
        count = self._line.count
        shared = self._catalog.recent_between(0, count, limit + len(self._hidden))
        parted = self._catalog.recent_between(count, self._base.created_count())
        standing = (claim for claim in (*shared, *parted) if claim.path not in self._changed)
        return newest([*standing, *self._top.all_claims()], self.created, limit)


def line_of(reading: Reading, commits: Commits, commit: Oid) -> Line:
    """The first-parent line of a commit, as far as the database has it, and the rest read from the repository."""
    seq, missing = missing_commits(reading, commits, commit)
    row = reading.row("SELECT oid, created FROM chain WHERE seq = ?", (seq,))
    before, count = (ZERO_OID, 0) if row is None else (Oid(row[0]), int(row[1]))
    created: dict[BlockId, int] = {}
    beyond = tuple(
        _Reader(reading, step, count, created).step(place)
        for place, step in enumerate(read_line(commits, before, missing), seq + 1)
    )
    return Line(seq, count, beyond, created)


class _Reader:
    """Reads the two sides of one commit from the repository, numbering ids that appear."""

    def __init__(self, reading: Reading, commit: Commit, count: int, created: dict[BlockId, int]) -> None:
        self._reading = reading
        self._commit = commit
        self._old = commit.before
        self._new = commit.after
        self._count = count
        self._created = created

    def step(self, seq: int) -> Step:
        changes = self._commit.changes
        derive = is_derive(self._commit.parents, changes)
        told = () if derive else in_order(events(changes, self))
        return Step(ChainLink(seq, self._commit.oid, derive), told, () if derive else touched(changes))

    def before(self, entry: Entry) -> Contribution:
        return contribution_of(self._old, entry.path) or Contribution()

    def after(self, entry: Entry) -> Contribution:
        found = contribution_of(self._new, entry.path) or Contribution()
        self._created |= number_new(found.claims, self._is_known, self._count + len(self._created))
        return found

    def _is_known(self, block_id: BlockId) -> bool:
        row = self._reading.row("SELECT created FROM block WHERE id = ?", (block_id,))
        return (row is not None and row[0] < self._count) or block_id in self._created

    def archived(self, change: Change) -> Iterable[Record]:
        old, new = (contribution_of(tree, change.path) or Contribution() for tree in (self._old, self._new))
        known = {record.handle for record in old.records}
        return (record for record in new.records if record.handle not in known)
