"""Telling that the same was said again: near-duplicates by stemmed words, whatever the inflection and filler."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Generic, TypeVar

from gitmem.terms import terms
from gitmem.writer.chatter import UNSPACED
from gitmem.writer.dates import find_time


def _terms_of(words: str) -> frozenset[str]:
    return frozenset(term for word in words.split() for term in terms(word))


_FILLER = _terms_of(
    """a an the i i'm i've i'd am is are be been being have has had do does did and but so that this then just also too
    really very quite actually still well yeah yes yep oh hey hi wow again already definitely totally truly super pretty
    it's that's my our we we're now currently by way know remember note please"""
)
"""Terms that come and go between two tellings of one thing; not "was", "not", "to" or "from", which change it."""

_DECISIVE = _terms_of("not no never don't didn't doesn't isn't wasn't can't won't he she they was were")
"""Terms that two tellings of the same have in common, or neither has; numbers are as decisive."""

_ALIKE = 0.75
"""The least share of terms in common (of all in either) that makes two sentences tell the same."""
_ENOUGH = 4
"""With fewer terms than this, all must agree."""

Home = TypeVar("Home")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a sentence says, freed of how: its terms without filler, and its event time if it names one."""

    terms: frozenset[str]
    exact: frozenset[str]
    when: str | None


def signature(sentence: str, when: str | None) -> Signature:
    """The signature of a sentence whose event time is ``when``."""
    found = [term for term in terms(sentence) if len(term) > 1 or not UNSPACED.match(term)]
    kept = frozenset(found) - _FILLER or frozenset(found)
    exact = frozenset(term for term in kept if term in _DECISIVE or any(letter.isdigit() for letter in term))
    return Signature(kept, exact, when if find_time(sentence) else None)


class Told(Generic[Home]):
    """Signatures of what has been said, each with where it stands."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._by_term: defaultdict[str, list[int]] = defaultdict(list)
        self._entries: list[tuple[Signature, Home]] = []

    def add(self, said: Signature, home: Home) -> None:
        """Remember a signature."""
        for term in said.terms:
            self._by_term[term].append(len(self._entries))
        self._entries.append((said, home))

    def same_as(self, said: Signature) -> Home | None:
        """Where the same was told first; ``None`` when it was not. What names a time is the same only at that time."""
        shared = Counter(entry for term in said.terms for entry in self._by_term.get(term, ()))
        best: tuple[float, int] | None = None
        for entry, common in shared.items():
            other, _ = self._entries[entry]
            union = len(said.terms) + len(other.terms) - common
            alike = common / union
            if alike < 1 and (alike < _ALIKE or common < _ENOUGH or other.exact != said.exact):
                continue
            if other.when != said.when:
                continue
            if best is None or (alike, -entry) > best:
                best = alike, -entry
        return None if best is None else self._entries[-best[1]][1]
