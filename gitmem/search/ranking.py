"""The documents that answer a query, best first: whole posting lists at once, then the exact scores of a few.

``rank_bm25`` looks at one document after the other, which takes longer than anybody waits when a word is common. So
the formula runs over posting lists as arrays first, and ``rank_bm25`` itself scores only the documents that reach the
top. This module is the owner of numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gitmem.catalog.corpus import ALL
from gitmem.search import bm25

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gitmem.catalog.columns import Columns
    from gitmem.catalog.corpus import Corpus
    from gitmem.catalog.postings import Kind

    Ids = NDArray[np.uint32]
    Scores = NDArray[np.float64]

_NOISE = 1e-9
"""Rough scores this close to the last place are compared exactly."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Which documents count as answers: of a kind, in these files, and in every one of these sets (``None``: all)."""

    kind: Kind = ALL
    files: frozenset[int] | None = None
    documents: tuple[frozenset[int], ...] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """One answer: the catalogue's document id, its score, and how often each term of the query stands in it."""

    document: int
    score: float
    terms: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best answers, and how many there are at all."""

    best: tuple[Ranked, ...] = ()
    found: int = 0


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of the query: the answers that hold it, how often, and how many documents of the kind do."""

    documents: Ids
    counts: NDArray[np.uint16]
    frequency: int


@dataclass(frozen=True, slots=True)
class _Query:
    """Everything that decides a score."""

    words: Sequence[str]
    terms: Mapping[str, _Term]
    corpus: bm25.Corpus
    lengths: Ids

    @property
    def frequencies(self) -> dict[str, int]:
        return {word: term.frequency for word, term in self.terms.items()}


def rank(corpus: Corpus, words: Sequence[str], limits: Limits, most: int) -> Ranking:
    """The ``most`` best documents that hold one of the words; equal scores stand by path and place in the file.

    Scores are ``BM25Okapi``'s over the documents of ``limits.kind``; repeated words count repeatedly. A document is an
    answer because it holds a word, whatever its score (17.4).
    """
    columns = corpus.columns()
    terms = {word: found for word in dict.fromkeys(words) if (found := _look_up(corpus, word, columns, limits))}
    if not terms:
        return Ranking()
    lengths = np.frombuffer(columns.lengths, np.uint32)
    query = _Query(words, terms, _statistics(corpus, limits.kind, terms), lengths)
    documents = np.flatnonzero(_held(query)).astype(np.uint32)
    chosen = _best(_rough_scores(query), documents, most)
    best = _in_order(corpus, columns, _exactly(query, chosen))
    return Ranking(tuple(best[:most]), len(documents))


def _look_up(corpus: Corpus, word: str, columns: Columns, limits: Limits) -> _Term | None:
    """The answers that hold a word; ``None`` when there are none."""
    frequency = corpus.frequency(word, limits.kind)
    if not frequency:
        return None
    postings = corpus.postings(word)
    documents = np.frombuffer(postings.documents, np.uint32)
    counts = np.frombuffer(postings.frequencies, np.uint16)
    keep = np.ones(len(documents), np.bool_)
    if limits.kind is not ALL:
        keep &= np.frombuffer(columns.kinds, np.uint8)[documents] == limits.kind
    if limits.files is not None:
        keep &= np.isin(np.frombuffer(columns.files, np.uint32)[documents], _array(limits.files))
    for allowed in limits.documents:
        keep &= np.isin(documents, _array(allowed))
    return _Term(documents[keep], counts[keep], frequency) if keep.any() else None


def _array(numbers: frozenset[int]) -> Ids:
    return np.fromiter(numbers, np.uint32, len(numbers))


def _statistics(corpus: Corpus, kind: Kind, terms: Mapping[str, _Term]) -> bm25.Corpus:
    totals = corpus.totals(kind)
    common = any(2 * term.frequency > totals.documents for term in terms.values())
    spread = corpus.spread(kind) if common else {}  # which only weighs words of more than half of the documents
    return bm25.Corpus(totals.documents, totals.terms / totals.documents, spread)


def _held(query: _Query) -> NDArray[np.bool_]:
    held = np.zeros(len(query.lengths), np.bool_)
    for term in query.terms.values():
        held[term.documents] = True
    return held


def _rough_scores(query: _Query) -> Scores:
    """Every document's score by id, zero where no word stands: the formula of ``BM25Okapi`` over arrays."""
    scores = np.zeros(len(query.lengths))
    weights = query.corpus.weights(query.frequencies)
    for word in query.words:
        if word in query.terms:
            term = query.terms[word]
            relative = query.lengths[term.documents] / query.corpus.average_length
            damped = term.counts + bm25.K1 * (1 - bm25.B + bm25.B * relative)
            scores[term.documents] += weights[word] * (term.counts * (bm25.K1 + 1) / damped)
    return scores


def _best(scores: Scores, documents: Ids, most: int) -> Ids:
    """The best documents, with all that share the last place; ascending."""
    if len(documents) <= most:
        return documents
    held = scores[documents]
    place = len(held) - most
    reaching: Ids = documents[held >= np.partition(held, place)[place] - _NOISE]
    return reaching


def _exactly(query: _Query, chosen: Ids) -> list[Ranked]:
    counts = [
        {
            word: int(term.counts[place])
            for word, term in query.terms.items()
            if (place := _place(term, one)) is not None
        }
        for one in chosen
    ]
    documents = [bm25.Document(int(length), own) for length, own in zip(query.lengths[chosen], counts, strict=True)]
    scores = bm25.scores(query.words, query.corpus, query.frequencies, documents)
    return [Ranked(int(one), score, own) for one, score, own in zip(chosen, scores, counts, strict=True)]


def _place(term: _Term, document: np.uint32) -> int | None:
    place = int(np.searchsorted(term.documents, document))
    return place if place < len(term.documents) and term.documents[place] == document else None


def _in_order(corpus: Corpus, columns: Columns, ranked: Sequence[Ranked]) -> list[Ranked]:
    paths = corpus.paths({columns.files[one.document] for one in ranked})

    def place(one: Ranked) -> tuple[float, str, int]:
        return -one.score, paths[columns.files[one.document]], columns.ordinals[one.document]

    return sorted(ranked, key=place)
