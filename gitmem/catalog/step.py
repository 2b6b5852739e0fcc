"""What one commit did, as events: claims added, changed, moved, merged and removed, and sources archived."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from gitmem.facts.contribution import contributes
from gitmem.format.claim import compare
from gitmem.format.layout import FORGOTTEN, PROMOTIONS, is_derived, is_topic
from gitmem.format.pathname import is_utf8

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.facts.contribution import Contribution
    from gitmem.format.claim import ClaimsDiff
    from gitmem.format.model import Claim, Record
    from gitmem.ids import BlockId
    from gitmem.store.tree import Change, Entry


class EventKind(StrEnum):
    """What happened to a block, or that a source was archived."""

    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    MERGED = "merged"
    REMOVED = "removed"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a commit did.

    ``id`` is a block id, or the handle of an archived source. ``path`` and ``ordinal`` say where it stands after
    the commit; for ``REMOVED`` and ``MERGED`` where it stood before. ``other`` is, for ``MOVED``, the path it came
    from, for ``MERGED`` the id it was merged into, and for ``CHANGED`` the block's own id from then on, where that is
    another.
    """

    kind: EventKind
    id: str
    path: str
    ordinal: int
    other: str | None = None


class Reader(Protocol):
    """Reads the two sides of one commit."""

    def before(self, entry: Entry) -> Contribution:
        """What a topic of the old side says."""
        ...

    def after(self, entry: Entry) -> Contribution:
        """What a topic of the new side says; asked once for each, by path, so that new ids may be numbered."""
        ...

    def archived(self, change: Change) -> Iterable[Record]:
        """The records of an archive that the old side did not have."""
        ...


def is_derive(parents: int, changes: Iterable[Change]) -> bool:
    """Whether a commit is a D: one parent, and nothing but derived paths changed (``architecture.md`` section 1)."""
    return parents == 1 and all(is_derived(change.path) for change in changes)


def touched(changes: Iterable[Change]) -> tuple[str, ...]:
    """The files of a commit that ``log PATH`` finds it by: not the views, nor names that are not UTF-8."""
    return tuple(change.path for change in changes if not is_derived(change.path) and is_utf8(change.path))


def events(changes: Iterable[Change], reader: Reader) -> Iterator[Event]:
    """The events of a commit.

    Files that only bring new ids, as an import does, are passed on one by one, so that no commit has to fit in memory.
    """
    told = [change for change in changes if contributes(change.path)]
    topics = [change for change in told if is_topic(change.path)]
    before = [claim for change in topics if change.old for claim in reader.before(change.old).claims]
    old_ids = {block_id for claim in before for block_id in claim.ids}
    after: list[Claim] = []
    for change in topics:
        if change.new is None:
            continue
        claims = reader.after(change.new).claims
        if change.old is None and old_ids.isdisjoint(_ids(claims)):
            yield from (Event(EventKind.ADDED, claim.id, claim.path, claim.ordinal) for claim in claims)
        else:
            after.extend(claims)
    yield from _told(compare(before, after))
    for change in told:
        if not is_topic(change.path) and change.new and change.path not in {PROMOTIONS, FORGOTTEN}:
            records = reader.archived(change)
            yield from (Event(EventKind.ARCHIVED, record.handle, record.path, record.start) for record in records)


def _ids(claims: Iterable[Claim]) -> Iterator[BlockId]:
    return (block_id for claim in claims for block_id in claim.ids)


def _told(diff: ClaimsDiff) -> Iterator[Event]:
    for claim in diff.added:
        yield Event(EventKind.ADDED, claim.id, claim.path, claim.ordinal)
    for changed in diff.changed:
        was, now = changed.before, changed.after
        yield Event(EventKind.CHANGED, now.id, now.path, now.ordinal)
        if was.id != now.id:
            yield Event(EventKind.CHANGED, was.id, now.path, now.ordinal, now.id)
    for moved in diff.moved:
        now = moved.after
        yield Event(EventKind.MOVED, now.id, now.path, now.ordinal, moved.before.path)
    for merged in diff.merged:
        yield Event(EventKind.MERGED, merged.id, merged.before.path, merged.before.ordinal, merged.into)
    for claim in diff.removed:
        yield Event(EventKind.REMOVED, claim.id, claim.path, claim.ordinal)
