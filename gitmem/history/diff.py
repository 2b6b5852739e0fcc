"""The claim-level difference of two states (``cli.md``, ``diff``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer, claims_answer
from gitmem.errors import Code, InvalidRequest
from gitmem.facts.difference import claims_between, records_between
from gitmem.format.layout import is_topic
from gitmem.history.revisions import memory_commit_of
from gitmem.ids import ZERO_OID
from gitmem.store.indexed import WorkdirTree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.ids import Oid
    from gitmem.memory import Memory
    from gitmem.store.tree import Tree

WORKING_DIRECTORY = "working directory"
"""What a difference names instead of a revision when it looked at the files."""


@dataclass(frozen=True, slots=True)
class StatAnswer:
    """How many claims of one file changed, counted where they stand afterwards (removed ones: where they stood).

    A topic whose bytes differ without a difference in claims is listed with zeros.
    """

    path: str
    added: int
    changed: int
    moved: int
    merged: int
    removed: int


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """``from_`` and ``to`` name the states: revisions (``None``: before the first), or ``working directory``."""

    from_: str | None
    to: str | None
    claims: ClaimsAnswer
    sources_added: tuple[str, ...]
    stat: tuple[StatAnswer, ...]


def compare_revisions(memory: Memory, before: Oid, after: Oid) -> DiffAnswer:
    """Compare two commits; ``memory`` is the current one, whose sources hold theirs too."""
    names = (_name(memory, before), _name(memory, after))
    return diff(memory.at(before), memory.at(after), memory.facts, names)


def compare_workdir(memory: Memory) -> DiffAnswer:
    """Compare the current memory with the working directory. Raises ``InvalidRequest`` where there is none."""
    if memory.repo.is_bare:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT, "this workspace is bare, it has no working directory; name revisions"
        )
    names = (_name(memory, memory.commit), WORKING_DIRECTORY)
    return diff(memory.snapshot, WorkdirTree(memory.repo, memory.whole()), memory.facts, names)


def diff(before: Tree, after: Tree, facts: Facts, names: tuple[str | None, str | None]) -> DiffAnswer:
    """Compare two states; ``facts`` know the sources that both of them cite."""
    changes = after.changes(before)
    difference = claims_between(before, after, changes)
    return DiffAnswer(
        from_=names[0],
        to=names[1],
        claims=claims_answer(facts, difference),
        sources_added=tuple(record.handle for record in records_between(before, after, changes)),
        stat=_stat(difference, (change.path for change in changes if is_topic(change.path))),
    )


def _name(memory: Memory, commit: Oid) -> str | None:
    return None if commit == ZERO_OID else memory_commit_of(memory.repo, commit)


def _stat(difference: ClaimsDiff, paths: Iterable[str]) -> tuple[StatAnswer, ...]:
    counts: dict[str, Counter[str]] = {path: Counter() for path in paths}

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
