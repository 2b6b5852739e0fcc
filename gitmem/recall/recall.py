"""What the memory says to a turn: the best trusted results, in as few words as tell them (8.15, 16.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format.fence import fence
from gitmem.format.model import TrustState
from gitmem.format.text import excerpt
from gitmem.search.hits import BLOCK
from gitmem.search.query import MOST_RESULTS, SearchQuery, search
from gitmem.tokens import Room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.memory import Memory
    from gitmem.search.hits import Hit

MAX_TOKENS = 2_000
"""What recall may add to a turn unless its caller says otherwise."""

_LONGEST_QUERY = 4_000
"""Characters of a turn that are searched for: the last ones, where a question stands."""

_LONGEST_RESULT = 1_200
_MORE = 4
"""How many results are looked at for each that is wanted, because some are left out."""


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """``text`` is what a model is given, fenced, ``""`` for nothing; ``results`` are what it tells, best first."""

    revision: str | None
    fresh: bool
    results: tuple[Hit, ...]
    text: str


def recall(memory: Memory, query: str, *, k: int, method: str = "bm25", max_tokens: int = MAX_TOKENS) -> RecallAnswer:
    """Search for a turn. Left out is what is pending, and messages of which a claim is found."""
    results = tuple(_fitting(_found(memory, query[-_LONGEST_QUERY:], k, method), max_tokens))
    text = fence("\n".join(map(line_of, results)))
    return RecallAnswer(memory.revision, memory.fresh, results, text)


def line_of(hit: Hit) -> str:
    """One result as a model reads it: when, who or where, the handle that tools take, and what."""
    when = f"{hit.when}, " if hit.when else ""
    if hit.kind == BLOCK:
        return f"- {when}{hit.path} ^{hit.id}: {excerpt(hit.content, _LONGEST_RESULT)}"
    who = hit.speaker_display or hit.speaker_id
    said = f"{who} said" if who else "said"
    return f"- {when}{said}, {hit.id}: {excerpt(hit.content, _LONGEST_RESULT)}"


def _found(memory: Memory, query: str, k: int, method: str) -> Iterator[Hit]:
    """The best, trusted ones; in the place of a message the claim that was made of it, where that is found too."""
    if not query.strip():
        return
    found = search(memory, SearchQuery(query, k=min(MOST_RESULTS, k * _MORE), method=method)).results
    trusted = [hit for hit in found if hit.trust_state == TrustState.TRUSTED]
    made_of = {ref: hit for hit in reversed(trusted) if hit.kind == BLOCK for ref in hit.refs}
    told = dict.fromkeys(made_of.get(hit.id, hit) for hit in trusted)
    yield from list(told)[:k]


def _fitting(hits: Iterable[Hit], budget: int) -> Iterator[Hit]:
    room = Room(budget)
    return (hit for hit in hits if room.take(line_of(hit)))
