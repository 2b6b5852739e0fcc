"""``Corpus`` of the documents that a reader may see: no other one is ranked, counted, or weighs a word (16.1)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.catalog.corpus import ALL, Holdings, Totals
from gitmem.catalog.postings import Kind, Postings
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.columns import Columns
    from gitmem.catalog.corpus import Choose, Corpus, Document, Speaker
    from gitmem.format.model import Tier
    from gitmem.visible.facts import VisibleFacts
    from gitmem.visible.tree import VisibleTree


class VisibleCorpus:
    """The part of a corpus that a reader may see; its size, not that of the whole, decides what an answer costs."""

    def __init__(self, corpus: Corpus, facts: VisibleFacts, tree: VisibleTree) -> None:
        """Narrow the documents of one commit."""
        self._corpus, self._facts, self._tree = corpus, facts, tree

    @cached_property
    def _visible(self) -> frozenset[int]:
        return self._corpus.narrowed(self._facts.reader, self._choose)

    def _choose(self, shared: Iterable[int]) -> frozenset[int]:
        return frozenset(
            one.id
            for one in self._corpus.documents(shared)
            if (one.claim is not None and self._facts.sees_claim(one.claim))
            or (one.record is not None and self._facts.sees_record(one.record))
        )

    def totals(self, kind: Kind = ALL) -> Totals:
        """Number of documents and of terms."""
        columns = self._corpus.columns()
        lengths = [columns.lengths[one] for one in self._visible if kind in {ALL, columns.kinds[one]}]
        return Totals(len(lengths), sum(lengths))

    def frequency(self, term: str, kind: Kind = ALL) -> int:
        """In how many documents a term occurs."""
        kinds = self._corpus.columns().kinds
        return sum(1 for one in self.postings(term).documents if kind in {ALL, kinds[one]})

    def spread(self, kind: Kind = ALL) -> dict[int, int]:  # noqa: ARG002  (of either kind)
        """Nothing: a word that most of the documents hold weighs as little as a word can."""
        return {}

    def postings(self, term: str) -> Postings:
        """The documents in which a term occurs."""
        whole, found = self._corpus.postings(term), Postings()
        for document, frequency in zip(whole.documents, whole.frequencies, strict=True):
            if document in self._visible:
                found.documents.append(document)
                found.frequencies.append(frequency)
        return found

    def columns(self) -> Columns:
        """Kind, file, ordinal and length of every document, by ids that nobody is told."""
        return self._corpus.columns()

    def documents(self, ids: Iterable[int]) -> list[Document]:
        """What documents say."""
        return self._corpus.documents(one for one in ids if one in self._visible)

    def files_below(self, prefix: str) -> frozenset[int]:
        """Ids of the files whose path starts so."""
        return self._corpus.files_below(prefix)

    def paths(self, files: Iterable[int]) -> dict[int, str]:
        """The paths of files by their ids."""
        return self._corpus.paths(files)

    def holdings(self, path: str) -> Holdings:
        """How much one file holds."""
        archive = self._tree.archive(path)
        return Holdings(len(self._facts.of_topic(TopicPath(path))), 0 if archive is None else len(archive.records))

    def dated(self, first: str | None, last: str | None) -> frozenset[int]:
        """Documents of which a time meets these days."""
        return self._corpus.dated(first, last) & self._visible

    def speakers(self) -> tuple[Speaker, ...]:
        """Everybody whom archives name, of whom something is visible."""
        return tuple(who for who in self._corpus.speakers() if self.said_by((who,)))

    def said_by(self, speakers: Iterable[Speaker]) -> frozenset[int]:
        """The documents of these speakers."""
        return self._corpus.said_by(speakers) & self._visible

    def shared(self) -> frozenset[int]:
        """All of them."""
        return self._visible

    def narrowed(self, reader: Tier | None, choose: Choose) -> frozenset[int]:  # noqa: ARG002  (narrowed already)
        """What is chosen of them."""
        return choose(self._visible)
