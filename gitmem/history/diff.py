"""The claim-level difference of two states (``cli.md``, ``diff``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer, claims_answer
from gitmem.facts.difference import claims_between, records_between

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.store.tree import Tree


@dataclass(frozen=True, slots=True)
class StatAnswer:
    """How many claims of one file changed, counted where they stand afterwards (removed ones: where they stood)."""

    path: str
    added: int
    changed: int
    moved: int
    merged: int
    removed: int


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """``from_`` and ``to`` name the states: revisions, or ``working directory``."""

    from_: str | None
    to: str | None
    claims: ClaimsAnswer
    sources_added: tuple[str, ...]
    stat: tuple[StatAnswer, ...]


WORKING_DIRECTORY = "working directory"


def diff(before: Tree, after: Tree, facts: Facts, names: tuple[str | None, str | None]) -> DiffAnswer:
    """Compare two states; ``facts`` are those of the later one, whose sources hold the earlier one's too."""
    changes = after.changes(before)
    difference = claims_between(before, after, changes)
    return DiffAnswer(
        from_=names[0],
        to=names[1],
        claims=claims_answer(facts, difference),
        sources_added=tuple(record.handle for record in records_between(before, after, changes)),
        stat=_stat(difference),
    )


def _stat(difference: ClaimsDiff) -> tuple[StatAnswer, ...]:
    counts: dict[str, Counter[str]] = {}

    def count(path: str, kind: str) -> None:
        counts.setdefault(path, Counter())[kind] += 1

    for claim in difference.added:
        count(claim.path, "added")
    for changed in difference.changed:
        count(changed.after.path, "changed")
    for moved in difference.moved:
        count(moved.after.path, "moved")
    for merged in difference.merged:
        count(merged.before.path, "merged")
    for claim in difference.removed:
        count(claim.path, "removed")
    kinds = ("added", "changed", "moved", "merged", "removed")
    return tuple(StatAnswer(path, *(counts[path][kind] for kind in kinds)) for path in sorted(counts))
