"""What a claim says, for telling whether another one says all of it, and the words that turn a meaning around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.terms import terms
from gitmem.writer.chatter import UNSPACED
from gitmem.writer.duplicates import ALIKE, ENOUGH, signature, terms_of

if TYPE_CHECKING:
    from gitmem.format.model import Claim

_TURNING = terms_of(
    """
    no not never none nobody nothing neither nor without hardly barely rarely seldom almost nearly stop stopped quit
    ceased former formerly used longer anymore plan plans planned intend hope hopes hoped want wants wanted wish wished
    try tried fail failed refuse refused avoid avoided might may could would should if unless instead except only maybe
    perhaps possibly probably supposedly allegedly said says think thinks thought believe believes heard dislike hate
    less fewer cancel cancelled canceled postponed lost deny denied doubt had did again unlike against
    nicht kein keine keinen keiner nie niemals ohne fast beinahe vielleicht
    ne pas jamais sans rien plus presque
    nunca sin casi sem quase mai senza quasi non
    niet geen nooit zonder bijna inte aldrig utan ikke aldri uten uden
    не нет никогда без почти nie bez nigdy
    """
)
"""Words that one claim must not have beyond the other: with them it says something else, not more."""


@dataclass(frozen=True, slots=True)
class Sayings:
    """A claim's terms without filler: as a set, in order, and those that both must have alike.

    ``whens`` are its event times if its words name one, else ``None``: then another telling may be of another day.
    """

    terms: frozenset[str]
    order: tuple[str, ...]
    exact: frozenset[str]
    turning: frozenset[str]
    whens: tuple[str, ...] | None


def sayings(claim: Claim) -> Sayings:
    """What a claim says."""
    prose = " ".join(claim.content.split())
    found = signature(prose, "named")
    order = terms(prose)
    return Sayings(
        terms=found.terms,
        order=tuple(term for term in order if term in found.terms),
        exact=found.exact,
        turning=frozenset(order) & _TURNING,
        whens=claim.whens if found.when else None,
    )


def says_all_of(whole: Sayings, part: Sayings) -> bool:
    """Whether one claim says everything that another says, and hardly more."""
    if part.exact != whole.exact or part.whens != whole.whens or part.turning != whole.turning:
        return False
    if part.terms == whole.terms:
        return part.order == whole.order
    more = whole.terms - part.terms
    enough = len(part.terms) >= max(ENOUGH, ALIKE * len(whole.terms))
    if not part.terms < whole.terms or not enough or any(UNSPACED.match(term) for term in more):
        return False
    rest = iter(whole.order)
    return all(term in rest for term in part.order)
