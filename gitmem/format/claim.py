"""Claims and their comparison: what two states of the memory say differently, block by block."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gitmem.format.model import CitedEvidence, Claim
    from gitmem.ids import BlockId

_LINKED_FILE = re.compile(r"\]\([^() \t\r\n#]*#\^")


@dataclass(frozen=True, slots=True)
class Changed:
    """A claim whose prose, evidence or ids changed under the same own id, or under the alias that took its place."""

    before: Claim
    after: Claim


@dataclass(frozen=True, slots=True)
class Moved:
    """A claim that stands in another file or under other headings; if it also changed, it is in both lists."""

    before: Claim
    after: Claim


@dataclass(frozen=True, slots=True)
class Merged:
    """An id that was a block's own and is now an alias of another block."""

    id: BlockId
    into: BlockId
    before: Claim


@dataclass(frozen=True, slots=True)
class ClaimsDiff:
    """The claim-level difference of two states; every list ordered by path and ordinal (of the after side if any)."""

    added: tuple[Claim, ...] = ()
    changed: tuple[Changed, ...] = ()
    moved: tuple[Moved, ...] = ()
    merged: tuple[Merged, ...] = ()
    removed: tuple[Claim, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.added or self.changed or self.moved or self.merged or self.removed)


def compare(before: Iterable[Claim], after: Iterable[Claim]) -> ClaimsDiff:
    """What two states say differently, given the claims of every file that differs, on both sides.

    A block is the same block while its own id stands; when a merged block loses that id, the alias that takes its
    place carries it on (changed, neither removed nor added). The labels of sources and the file part of block links
    are display and address: only times, sources and linked ids count as a change. Linear in the number of claims.
    """
    old, new = _in_file_order(before), _in_file_order(after)
    homes = {alias: claim.id for claim in reversed(new) for alias in claim.aliases}
    pairs = _pairs(old, new, homes)
    kept = {id(was) for was, _ in pairs}
    found = {id(now) for _, now in pairs}
    gone = {claim.id: claim for claim in old if id(claim) not in kept}
    return ClaimsDiff(
        added=tuple(claim for claim in new if id(claim) not in found),
        changed=tuple(Changed(was, now) for was, now in pairs if _says(was) != _says(now)),
        moved=tuple(Moved(was, now) for was, now in pairs if (was.path, was.headings) != (now.path, now.headings)),
        merged=tuple(Merged(name, claim.id, gone[name]) for claim in new for name in claim.aliases if name in gone),
        removed=tuple(claim for claim in old if id(claim) not in kept and claim.id not in homes),
    )


def loses(before: Claim, after: Claim) -> bool:
    """Whether a claim's words are others, or evidence of it is gone; more evidence and a new place lose nothing."""
    held = {_rests_on(cited) for cited in after.evidence}
    reworded = _words(before) != _words(after)
    return reworded or not held.issuperset(_rests_on(cited) for cited in before.evidence)


def _words(claim: Claim) -> list[str]:
    return without_files(claim.content).split()


def _rests_on(cited: CitedEvidence) -> tuple[object, ...]:
    return (cited.when, frozenset(link.resolved or link.target for link in cited.sources))


def _in_file_order(claims: Iterable[Claim]) -> list[Claim]:
    return sorted(claims, key=lambda claim: (claim.path, claim.ordinal))


def _pairs(old: list[Claim], new: list[Claim], homes: Mapping[BlockId, BlockId]) -> list[tuple[Claim, Claim]]:
    """What is one block on both sides, in the order of ``new``; twins (a defect) pair up in their own file first."""
    partners: dict[int, Claim] = {}
    used: set[int] = set()

    def match(old_keys: Callable[[Claim], Iterable[object]], new_key: Callable[[Claim], object]) -> None:
        waiting: dict[object, list[Claim]] = {}
        for was in reversed([claim for claim in old if id(claim) not in used]):
            for key in old_keys(was):
                waiting.setdefault(key, []).append(was)
        for now in [claim for claim in new if id(claim) not in partners]:
            candidates = waiting.get(new_key(now), [])
            while candidates and id(candidates[-1]) in used:
                candidates.pop()
            if candidates:
                partners[id(now)] = candidates.pop()
                used.add(id(partners[id(now)]))

    match(lambda claim: [(claim.path, claim.id)], lambda claim: (claim.path, claim.id))
    match(lambda claim: [claim.id], lambda claim: claim.id)
    match(lambda claim: _successors(claim, homes), lambda claim: claim.id)
    return [(partners[id(claim)], claim) for claim in new if id(claim) in partners]


def _successors(claim: Claim, homes: Mapping[BlockId, BlockId]) -> tuple[BlockId, ...]:
    """The aliases that carry on a block whose own id stands no more, unless it was absorbed by another block."""
    home = homes.get(claim.id)
    return claim.aliases if home is None or home in claim.aliases else ()


def _says(claim: Claim) -> tuple[object, ...]:
    evidence = (
        (
            cited.id,
            cited.when,
            without_files(cited.clause),
            tuple(link.resolved or link.target for link in cited.sources),
        )
        for cited in claim.evidence
    )
    return (claim.ids, without_files(claim.content), *evidence)


def without_files(prose: str) -> str:
    """Prose without the file part of its links to blocks, which is an address: it follows what moves."""
    return _LINKED_FILE.sub("](#^", prose) if "](" in prose else prose
