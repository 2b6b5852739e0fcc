"""BM25 over the candidates of one query; the only importer of ``rank_bm25`` (``architecture.md`` section 7).

``BM25Okapi`` wants the whole corpus in memory and scores all of it on every query. What its formula needs is much
less: the corpus' size and average length, the query terms' document frequencies, and the term frequencies of those
documents that hold a query term. The catalogue has all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rank_bm25 import BM25Okapi

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

K1 = 1.5
"""How much the repetition of a term in one document counts."""

B = 0.75
"""How much a document's length counts."""

EPSILON = 0.25
_SMALLEST_IDF = 1e-6


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the formula needs of all documents.

    ``size`` counts documents, ``average_length`` terms a document; ``document_frequencies`` is a histogram: how many
    distinct terms occur in exactly so many documents.
    """

    size: int
    average_length: float
    document_frequencies: Mapping[int, int]

    def idf(self, frequency: int) -> float:
        """The inverse document frequency before flooring; negative for a term in more than half of the documents."""
        return math.log(self.size - frequency + 0.5) - math.log(frequency + 0.5)

    def weights(self, frequencies: Mapping[str, int]) -> dict[str, float]:
        """The inverse document frequencies of terms, negative ones raised to the floor."""
        idfs = {term: self.idf(frequency) for term, frequency in frequencies.items()}
        floor = self.floor() if any(idf < 0 for idf in idfs.values()) else 0.0
        return {term: floor if idf < 0 else idf for term, idf in idfs.items()}

    def floor(self) -> float:
        """What a negative one is raised to: a share of the average; positive even in a tiny corpus."""
        terms = sum(self.document_frequencies.values())
        if not terms:
            return _SMALLEST_IDF
        average = sum(self.idf(frequency) * count for frequency, count in self.document_frequencies.items()) / terms
        return max(EPSILON * average, _SMALLEST_IDF)


@dataclass(frozen=True, slots=True)
class Document:
    """One candidate: its length in terms, and how often it holds each query term that it holds."""

    length: int
    frequencies: Mapping[str, int]


class _Candidates(BM25Okapi):  # type: ignore[misc]  # rank_bm25 ships no types
    """``BM25Okapi`` over prepared statistics: the constructor, which would read the corpus, is not called."""

    def __init__(self, corpus: Corpus, frequencies: Mapping[str, int], documents: Sequence[Document]) -> None:
        self.k1 = K1
        self.b = B
        self.epsilon = EPSILON
        self.corpus_size = corpus.size
        self.avgdl = corpus.average_length
        self.doc_freqs = [document.frequencies for document in documents]
        self.doc_len = [document.length for document in documents]
        self.idf = corpus.weights(frequencies)


def scores(
    query: Sequence[str], corpus: Corpus, frequencies: Mapping[str, int], documents: Sequence[Document]
) -> list[float]:
    """``BM25Okapi``'s score of each document for the query's terms (repeated terms count repeatedly).

    ``frequencies`` gives the document frequency of every query term that occurs at all. An empty list of documents
    gives an empty list; no corpus divides by zero.
    """
    if not documents:
        return []
    found: list[float] = _Candidates(corpus, frequencies, documents).get_batch_scores(query, range(len(documents)))
    return found
