"""Which documents hold a term, and how often: packed, so that search reads tens of thousands of them at once.

The postings of a term are cut by runs of document ids: a row for each run that holds the term, the documents' ids as
32-bit and then the frequencies as 16-bit integers. One changed document rewrites one row for each of its terms.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from enum import IntEnum
from typing import TYPE_CHECKING

from gitmem.catalog.schema import DOCUMENTS_PER_CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.catalog.database import Database

MOST_OFTEN = 0xFFFF
"""A term that occurs more often in one document counts so often."""

HELD_DOCUMENTS = 8 * DOCUMENTS_PER_CHUNK
"""How many added documents are held in memory before their postings are written."""

_MOST_KNOWN = 100_000
"""Terms whose ids are kept from one transaction to the next."""

_ID_BYTES = 4
_POSTING_BYTES = 6


class Kind(IntEnum):
    """What a document is; ``NONE`` marks ids that are not, or no longer, in use."""

    NONE = 0
    BLOCK = 1
    SOURCE = 2


class Postings:
    """Documents ascending, and beside them how often the term occurs in each: arrays of unsigned integers."""

    __slots__ = ("documents", "frequencies")

    def __init__(self, data: bytes = b"") -> None:
        """Unpack a row's bytes."""
        split = len(data) // _POSTING_BYTES * _ID_BYTES
        self.documents = array("I", data[:split])
        self.frequencies = array("H", data[split:])

    def pack(self) -> bytes:
        """The row's bytes."""
        return self.documents.tobytes() + self.frequencies.tobytes()

    def extend(self, later: Postings) -> None:
        """Add postings of which every document is higher."""
        self.documents.extend(later.documents)
        self.frequencies.extend(later.frequencies)

    def insert(self, document: int, frequency: int) -> None:
        """Add a document at its place."""
        place = bisect_left(self.documents, document)
        self.documents.insert(place, document)
        self.frequencies.insert(place, frequency)

    def discard(self, document: int) -> None:
        """Remove a document if it is there."""
        place = bisect_left(self.documents, document)
        if place < len(self.documents) and self.documents[place] == document:
            del self.documents[place], self.frequencies[place]

    def __len__(self) -> int:
        """How many documents."""
        return len(self.documents)


def pack_terms(terms: Mapping[int, int]) -> bytes:
    """A document's own terms, term id to frequency, packed as postings are."""
    counts = terms.values()
    frequencies = counts if max(counts, default=0) <= MOST_OFTEN else (min(count, MOST_OFTEN) for count in counts)
    return array("I", terms).tobytes() + array("H", frequencies).tobytes()


class Terms:
    """The dictionary of terms; unknown ones are added, with no document yet."""

    def __init__(self, database: Database) -> None:
        """Take the dictionary of a database in a write transaction."""
        self._database = database
        self._ids = database.known_ids()
        if len(self._ids) > _MOST_KNOWN:
            self._ids.clear()
        self._next = database.number("SELECT coalesce(max(id), 0) + 1 FROM term")

    def count(self, terms: Iterable[str]) -> dict[int, int]:
        """The terms' ids with how often each occurs."""
        ids = self._ids
        counted = Counter(terms)
        return {(ids[term] if term in ids else self._look_up(term)): count for term, count in counted.items()}

    def _look_up(self, term: str) -> int:
        found = self._database.row("SELECT id FROM term WHERE text = ?", (term,))
        if found is None:
            self._database.execute("INSERT INTO term VALUES (?, ?, 0, 0)", (self._next, term))
            found = (self._next,)
            self._next += 1
        self._ids[term] = number = int(found[0])
        return number


class PostingsWriter:
    """Collects added and removed documents; ``flush`` writes postings, ``finish`` the document frequencies too."""

    def __init__(self, database: Database, last_run: int | None = None) -> None:
        """Take the postings of a database in a write transaction.

        ``last_run`` is the last run of documents that has any, by default the last that there is.
        """
        self._database = database
        self._added: dict[int, bytes] = {}
        self._removed: dict[int, bytes] = {}
        self._changes: dict[Kind, Counter[int]] = {Kind.BLOCK: Counter(), Kind.SOURCE: Counter()}
        self._first_new_term = database.number("SELECT coalesce(max(id), 0) + 1 FROM term")
        known = database.number("SELECT coalesce(max(id), -1) FROM chunk") if last_run is None else last_run
        self._last_run = known

    def add(self, document: int, kind: Kind, terms: bytes) -> None:
        """Put a document, with its packed terms, into the postings."""
        if self._removed.pop(document, None) is None:
            self._added[document] = terms
        self._changes[kind].update(Postings(terms).documents)
        if len(self._added) >= HELD_DOCUMENTS:
            self.flush()

    def remove(self, document: int, kind: Kind, terms: bytes) -> None:
        """Take a document out again."""
        if self._added.pop(document, None) is None:
            self._removed[document] = terms
        self._changes[kind].subtract(Postings(terms).documents)

    def flush(self) -> None:
        """Write the postings collected so far."""
        added, removed = _by_run(self._added), _by_run(self._removed)
        fresh = {number: run for number, run in added.items() if number > self._last_run}
        self._insert(fresh)
        for number in sorted((added.keys() | removed.keys()) - fresh.keys()):
            self._rewrite(number, added.get(number, {}), removed.get(number, {}))
        self._last_run = max([self._last_run, *fresh])
        self._added, self._removed = {}, {}

    def finish(self) -> None:
        """Write everything, and in how many documents each term occurs now.

        A term that occurs in none stays: a hidden document may hold it.
        """
        self.flush()
        blocks, sources = self._changes[Kind.BLOCK], self._changes[Kind.SOURCE]
        spread: Counter[tuple[int, int]] = Counter()
        counts: list[tuple[int, int, int]] = []
        for term in sorted(blocks.keys() | sources.keys()):
            before = self._frequencies(term)
            after = before[0] + blocks[term], before[1] + sources[term]
            counts.append((*after, term))
            _shift(spread, before, after)
        self._database.many("UPDATE term SET blocks = ?, sources = ? WHERE id = ?", counts)
        self._database.many(
            "INSERT INTO spread VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET terms = terms + excluded.terms",
            [(kind, frequency, terms) for (kind, frequency), terms in spread.items()],
        )
        self._database.many("DELETE FROM spread WHERE kind = ? AND frequency = ? AND terms = 0", spread)

    def _frequencies(self, term: int) -> tuple[int, int]:
        """How many blocks and how many sources had a term before; of new terms none, without asking."""
        if term >= self._first_new_term:
            return 0, 0
        blocks, sources = self._database.numbers("SELECT blocks, sources FROM term WHERE id = ?", (term,))
        return blocks, sources

    def _insert(self, runs: Mapping[int, Mapping[int, Postings]]) -> None:
        """Write runs that the table holds nothing of, in the table's order."""
        places = sorted((term, number) for number, run in runs.items() for term in run)
        rows = [(term, number, runs[number][term].pack()) for term, number in places]
        self._database.many("INSERT INTO posting VALUES (?, ?, ?)", rows)

    def _rewrite(self, number: int, added: Mapping[int, Postings], removed: Mapping[int, Postings]) -> None:
        for term in sorted(added.keys() | removed.keys()):
            row = self._database.row("SELECT data FROM posting WHERE term = ? AND chunk = ?", (term, number))
            postings = Postings(row[0] if row else b"")
            if term in removed:
                for document in removed[term].documents:
                    postings.discard(document)
            if term in added:
                for document, frequency in zip(added[term].documents, added[term].frequencies, strict=True):
                    postings.insert(document, frequency)
            if postings:
                values = (term, number, postings.pack())
                self._database.execute("INSERT OR REPLACE INTO posting VALUES (?, ?, ?)", values)
            else:
                self._database.execute("DELETE FROM posting WHERE term = ? AND chunk = ?", (term, number))


def _shift(spread: Counter[tuple[int, int]], before: tuple[int, int], after: tuple[int, int]) -> None:
    """Move a term in the histograms of document frequencies."""
    for kind, was, now in (
        (Kind.BLOCK, before[0], after[0]),
        (Kind.SOURCE, before[1], after[1]),
        (Kind.NONE, sum(before), sum(after)),
    ):
        if was != now:
            if was:
                spread[kind, was] -= 1
            if now:
                spread[kind, now] += 1


def _by_run(documents: Mapping[int, bytes]) -> dict[int, dict[int, Postings]]:
    """Run, then term, to postings: from the terms of each document to the documents of each term."""
    runs: defaultdict[int, dict[int, Postings]] = defaultdict(dict)
    for document in sorted(documents):
        own, run = Postings(documents[document]), runs[document // DOCUMENTS_PER_CHUNK]
        for term, frequency in zip(own.documents, own.frequencies, strict=True):
            postings = run.get(term)
            if postings is None:
                postings = run[term] = Postings()
            postings.documents.append(document)
            postings.frequencies.append(frequency)
    return runs
