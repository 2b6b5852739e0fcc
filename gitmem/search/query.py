"""Search: the blocks and archived messages that answer a question, ranked (``behaviours.md`` part 16)."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem import tokens
from gitmem.catalog.corpus import ALL
from gitmem.catalog.postings import Kind
from gitmem.errors import Code, InvalidRequest, Unavailable
from gitmem.format.evidence import valid_when
from gitmem.format.speaker import normalize_display
from gitmem.search.hits import tell
from gitmem.search.paths import path_prefix
from gitmem.search.ranking import Limits, rank
from gitmem.terms import query_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.catalog.corpus import Corpus, Speaker
    from gitmem.memory import Memory
    from gitmem.search.hits import Hit

BM25 = "bm25"
METHODS = (BM25, "embedding", "hybrid")
MOST_RESULTS = 100
DEFAULT_RESULTS = 10

_DATE = re.compile(r"(\d{4}(?:-\d{2}(?:-\d{2})?)?)(?:[T ].*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is asked for.

    ``path`` is the start of a path (archives also by their path without ``_v2/``); ``first`` and ``last`` are dates
    ``YYYY[-MM[-DD]]``, both included; ``speaker`` is a whole id, name or label in any case and limits the answer to
    messages; ``max_tokens`` is a budget for all contents together, in o200k_base tokens. ``explain`` adds to each
    result which words of the query it holds.
    """

    text: str
    k: int = DEFAULT_RESULTS
    method: str = BM25
    path: str | None = None
    first: str | None = None
    last: str | None = None
    speaker: str | None = None
    topics_only: bool = False
    max_tokens: int | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Results, best first. ``truncated``: more blocks or messages hold words of the query than are given."""

    revision: str | None
    fresh: bool
    method: str
    truncated: bool
    results: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class SpeakerSearchAnswer(SearchAnswer):
    """The answer when a speaker is asked for: only messages have one (16.2)."""

    scope: str = "sources"


def search(memory: Memory, query: SearchQuery) -> SearchAnswer:
    """Rank what answers the query.

    Raises ``InvalidRequest`` for a query that asks for nothing or contradicts itself, and ``Unavailable``
    (``EMBEDDING_UNAVAILABLE``) for the methods that need a model.
    """
    _validate(query)
    corpus = memory.view.corpus
    limits = _limits(corpus, query)
    ranking = rank(corpus, query_terms(query.text), limits, query.k)
    hits = tell(memory, corpus, ranking.best, explain=query.explain)
    shown = tuple(hits if query.max_tokens is None else _within(hits, query.max_tokens))
    kind = SearchAnswer if query.speaker is None else SpeakerSearchAnswer
    return kind(memory.revision, memory.fresh, query.method, ranking.found > len(shown), shown)


def _within(hits: Iterable[Hit], budget: int) -> Iterator[Hit]:
    """The results whose contents fit into the budget together; one that is too large makes room for smaller ones."""
    for hit in hits:
        if tokens.fits(hit.content, budget):
            budget -= tokens.count(hit.content)
            yield hit


# --- the query


def _validate(query: SearchQuery) -> None:
    problem = _problem(query)
    if problem is not None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, problem)
    if query.method != BM25:
        message = f"there is no embedding model here to search with by {query.method}; search with the method bm25"
        raise Unavailable(Code.EMBEDDING_UNAVAILABLE, message, details={"method": query.method})


def _problem(query: SearchQuery) -> str | None:
    """What keeps the query from having an answer."""
    if not query.text.strip():
        return "say what to search for"
    if not 1 <= query.k <= MOST_RESULTS:
        return f"the number of results is from 1 to {MOST_RESULTS}, not {query.k}"
    if query.max_tokens is not None and query.max_tokens < 1:
        return f"the token budget is at least 1, not {query.max_tokens}"
    if query.method not in METHODS:
        return f"the method is one of {', '.join(METHODS)}, not {query.method!r}"
    if query.speaker is not None:
        return _speaker_problem(query.speaker, query)
    return None


def _speaker_problem(speaker: str, query: SearchQuery) -> str | None:
    if query.method != BM25:
        return f"a speaker can be asked for with the method bm25 only, not {query.method}"  # 16.3
    if query.topics_only:
        return "only messages have a speaker: ask for a speaker or for topics only, not both"
    return None if normalize_display(speaker) else "say which speaker: an id, a name, or a label"


def _limits(corpus: Corpus, query: SearchQuery) -> Limits:
    kind = Kind.BLOCK if query.topics_only else ALL if query.speaker is None else Kind.SOURCE
    files = None if query.path is None else corpus.files_below(path_prefix(query.path))
    documents = []
    if query.first is not None or query.last is not None:
        documents.append(corpus.dated(*_days(query.first, query.last)))
    if query.speaker is not None:
        wanted = _names(query.speaker)
        documents.append(corpus.said_by(who for who in corpus.speakers() if wanted & _names_of(who)))
    return Limits(kind, files, tuple(documents))


def _names_of(speaker: Speaker) -> frozenset[str]:
    return frozenset().union(*map(_names, (speaker.speaker_id, speaker.display, speaker.label)))


def _names(text: str | None) -> frozenset[str]:
    """The whole name, as written and as headers show it, in one case (16.2: never a part of it)."""
    return frozenset(name.casefold() for name in (text, normalize_display(text)) if name)


def _days(first: str | None, last: str | None) -> tuple[str | None, str | None]:
    """The first and the last day that two dates mean."""
    low, high = None, None
    if first is not None:
        low = "-".join((*_date(first), "01", "01")[:3])
    if last is not None:
        year, *rest = _date(last)
        month = rest[0] if rest else "12"
        day = rest[1] if rest[1:] else f"{calendar.monthrange(int(year), int(month))[1]}"
        high = f"{year}-{month}-{day}"
    if low is not None and high is not None and low > high:
        message = f"there is no day from {first} to {last}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return low, high


def _date(text: str) -> tuple[str, ...]:
    """The parts of ``YYYY[-MM[-DD]]``; a time of day is cut off."""
    found = _DATE.fullmatch(text.strip())
    if found is None or not valid_when(found[1]):
        message = f"{text!r} is no date; write YYYY, YYYY-MM or YYYY-MM-DD"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return tuple(found[1].split("-"))
