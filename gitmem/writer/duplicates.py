"""Telling that the same was said again: near-duplicates by stemmed words, whatever the inflection and filler."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from gitmem.terms import terms
from gitmem.writer.chatter import UNSPACED
from gitmem.writer.dates import find_time


def terms_of(words: str) -> frozenset[str]:
    """The terms of a list of words."""
    return frozenset(term for word in words.split() for term in terms(word))


_FILLER = terms_of(
    """a an the i i'm i've i'd am is are be been being have has had do does did and but so that this then just also too
    really very quite actually still well yeah yes yep oh hey hi wow again already definitely totally truly super pretty
    it's that's my our we we're now currently by way on know remember note please"""
)
"""Terms that come and go between two tellings of one thing; not "was", "not", "to" or "from", which change it."""

_DECISIVE = terms_of("not no never don't didn't doesn't isn't wasn't can't won't he she they was were")
"""Terms that two tellings of the same have in common, or neither has; numbers are as decisive."""

if TYPE_CHECKING:
    from collections.abc import Iterator

ALIKE = 0.75
"""The least share of terms in common (of all in either) that makes two sentences tell the same."""
ENOUGH = 4
"""With fewer terms than this, all must agree."""

Home = TypeVar("Home")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a sentence says, freed of how: its terms without filler, and its event time if it names one."""

    terms: frozenset[str]
    exact: frozenset[str]
    when: str | None


def signature(sentence: str, when: str | None) -> Signature:
    """The signature of a sentence whose event time is ``when``; how its time is put does not matter."""
    expression = find_time(sentence)
    timeless = sentence if expression is None else f"{sentence[: expression.start]} {sentence[expression.end :]}"
    found = frozenset(term for term in terms(timeless) if len(term) > 1 or not UNSPACED.match(term))
    kept = found - _FILLER or found
    exact = frozenset(term for term in kept if term in _DECISIVE or any(letter.isdigit() for letter in term))
    return Signature(kept, exact, when if expression else None)


def tellings(sentence: str, when: str | None) -> Iterator[Signature]:
    """What a sentence tells: itself, and each of its clauses about the one who speaks."""
    yield signature(sentence, when)
    clauses = _OWN_CLAUSE.split(sentence)
    if len(clauses) > 1:
        yield from (signature(clause, when) for clause in clauses if len(clause.split()) >= ENOUGH)


_OWN_CLAUSE = re.compile(r"[,;]?\s+(?:and|but|so|-|\u2013|\u2014)\s+(?=(?:I|i|we|We|my|My|our)\b)")
"""Between clauses of which the later one is about the speaker."""


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
            if alike < 1 and (alike < ALIKE or common < ENOUGH or other.exact != said.exact):
                continue
            if other.when != said.when:
                continue
            if best is None or (alike, -entry) > best:
                best = alike, -entry
        return None if best is None else self._entries[-best[1]][1]
