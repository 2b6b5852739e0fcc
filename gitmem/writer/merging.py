"""Finding claims that were written down twice, so that one carries the ids and the evidence of both.

A claim is absorbed only by one that says everything that it says, in the same order, of the same time and about the
same subject: what merging takes away is wording. Anything less alike is left to somebody who can judge it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import BLOCK_ID, TopicPath
from gitmem.writer.merging_words import Sayings, sayings, says_all_of
from gitmem.writer.organize_calendar import is_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gitmem.format.model import Claim
    from gitmem.ids import BlockId

Scope = tuple[str, tuple[str, ...]]
"""Where claims are about the same: a file with its parts, and the headings but for those that name a time."""


@dataclass(frozen=True, slots=True)
class Merge:
    """``keep`` absorbs the others; its words stay."""

    keep: Claim
    absorbed: tuple[Claim, ...]


def find_merges(
    claims: Iterable[Claim], created: Callable[[BlockId], int | None], agree: Callable[[Claim, Claim], bool]
) -> Iterator[Merge]:
    """Every claim that absorbs others, of all claims of a memory.

    The fullest telling is kept, of equal ones the one that was created first. ``agree`` is asked of each pair, which of
    two claims may come to rest on the evidence of both.
    """
    by_scope: defaultdict[Scope, list[Claim]] = defaultdict(list)
    listed = list(claims)
    paths = frozenset(claim.path for claim in listed)
    for claim in listed:
        if BLOCK_ID.fullmatch(claim.id) and claim.evidence:  # an older record has no id to give away
            by_scope[_scope(claim, paths)].append(claim)
    for together in by_scope.values():
        if len(together) > 1:
            yield from _Telling(together, created, agree).merges()


def family_of(path: TopicPath, paths: frozenset[TopicPath]) -> TopicPath:
    """The file that a file is a part of, as far up as there are such files; itself when it is none."""
    above = TopicPath(f"{path.rpartition('/')[0]}.md")
    return family_of(above, paths) if above in paths else path


def _scope(claim: Claim, paths: frozenset[TopicPath]) -> Scope:
    titles = tuple(title for title in claim.headings if not is_time(title))
    return (family_of(claim.path, paths) if titles else claim.path), titles


class _Telling:
    """The claims of one scope, compared."""

    def __init__(
        self,
        claims: list[Claim],
        created: Callable[[BlockId], int | None],
        agree: Callable[[Claim, Claim], bool],
    ) -> None:
        self._said = [(sayings(claim), claim) for claim in claims]
        self._said.sort(key=lambda pair: (-len(pair[0].terms), created(pair[1].id) or 0, pair[1].path, pair[1].ordinal))
        self._agree = agree
        self._often = Counter(term for said, _ in self._said for term in said.terms)
        self._keepers: defaultdict[str, list[tuple[Sayings, Claim]]] = defaultdict(list)

    def merges(self) -> Iterator[Merge]:
        absorbed: dict[BlockId, list[Claim]] = {}
        keepers: dict[BlockId, Claim] = {}
        for said, claim in self._said:
            keeper = self._keeper(said, claim)
            if keeper is None:
                for term in said.terms:
                    self._keepers[term].append((said, claim))
            else:
                keepers[keeper.id] = keeper
                absorbed.setdefault(keeper.id, []).append(claim)
        for block_id, others in absorbed.items():
            yield Merge(keepers[block_id], tuple(others))

    def _keeper(self, said: Sayings, claim: Claim) -> Claim | None:
        """The claim that says all of this one and the least besides, among those that have its rarest term."""
        rarest = min(said.terms, key=lambda term: (self._often[term], term), default="")
        found = (
            (len(whole.terms), number, keeper)
            for number, (whole, keeper) in enumerate(self._keepers.get(rarest, ()))
            if says_all_of(whole, said) and self._agree(keeper, claim)
        )
        best = min(found, key=lambda triple: triple[:2], default=None)
        return None if best is None else best[2]
