"""What two states of the memory say and hold differently, from the paths that changed between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.claim import ClaimsDiff, compare
from gitmem.format.layout import is_topic, is_v2_archive
from gitmem.format.topic import claims_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim, Record
    from gitmem.store.tree import Change, Tree


def claims_between(before: Tree, after: Tree, changes: Iterable[Change]) -> ClaimsDiff:
    """What the changed topics say differently."""
    changed = tuple(changes)
    return compare(claims_in(before, changed), claims_in(after, changed))


def claims_in(tree: Tree, changes: Iterable[Change]) -> list[Claim]:
    """The claims that one side has in the changed topics."""
    topics = (tree.topic(change.path) for change in changes if is_topic(change.path))
    return [claim for topic in topics if topic is not None for claim in claims_of(topic)]


def removed_between(before: Tree, after: Facts, changes: Iterable[Change]) -> tuple[Claim, ...]:
    """The claims of the changed topics of which an id stands nowhere any more, in file order.

    A move keeps the ids, and so does a merge: what was absorbed goes on as an alias.
    """
    return tuple(claim for claim in claims_in(before, changes) if not all(after.claims(name) for name in claim.ids))


def records_between(before: Tree, after: Tree, changes: Iterable[Change]) -> Iterator[Record]:
    """The messages that the changed v2 archives gained, in file order."""
    for change in changes:
        archive = after.archive(change.path) if change.new is not None and is_v2_archive(change.path) else None
        if archive is not None:
            known = before.archive(change.path) if change.old is not None else None
            yield from archive.records[len(known.records) if known is not None else 0 :]
