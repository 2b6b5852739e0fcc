"""Claims that may say the same, wherever they stand: shown to somebody who can judge it."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from gitmem.writer.duplicates import ALIKE, ENOUGH
from gitmem.writer.merging_words import sayings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.format.model import Claim
    from gitmem.writer.merging_words import Sayings

MOST_GROUPS = 40
"""Groups that are worth showing at once; the next pass shows others."""

_RAREST = 3
_MOST_SHARING = 20
"""A term that more claims have tells little; comparing all of them would take long."""


def alike(claims: Iterable[Claim]) -> list[tuple[Claim, ...]]:
    """Pairs of claims that share most of their words, those that share the largest part first."""
    said = [(sayings(claim), claim) for claim in claims]
    often = Counter(term for what, _ in said for term in what.terms)
    by_term: defaultdict[str, list[int]] = defaultdict(list)
    for number, (what, _) in enumerate(said):
        for term in sorted(what.terms, key=lambda term: (often[term], term))[:_RAREST]:
            by_term[term].append(number)
    pairs = {pair for found in by_term.values() if len(found) <= _MOST_SHARING for pair in combinations(found, 2)}
    likeness = {pair: _likeness(said[pair[0]][0], said[pair[1]][0]) for pair in pairs}
    best = sorted((-share, pair) for pair, share in likeness.items() if share >= ALIKE)
    return [(said[one][1], said[other][1]) for _, (one, other) in best[:MOST_GROUPS]]


def _likeness(one: Sayings, other: Sayings) -> float:
    """The share of terms in common; nothing where a number or a negation differs."""
    common = len(one.terms & other.terms)
    if common < ENOUGH or one.exact != other.exact:
        return 0.0
    return common / len(one.terms | other.terms)
