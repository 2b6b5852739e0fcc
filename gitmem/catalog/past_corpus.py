"""The documents of another commit than the one the database holds: the database's, less some, plus some in memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.catalog.columns import Columns
from gitmem.catalog.corpus import ALL, CatalogCorpus, Document, Holdings, Speaker, Totals, prefixes
from gitmem.catalog.documents import block_text, record_text
from gitmem.catalog.postings import MOST_OFTEN, Kind, Postings
from gitmem.catalog.values import day_of, key, unpack_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.catalog.corpus import Choose
    from gitmem.catalog.database import Reading
    from gitmem.facts.base import Facts
    from gitmem.facts.contribution import Contribution
    from gitmem.format.model import Claim, Record, Tier
    from gitmem.ids import SourceId
    from gitmem.store.tree import Tree


@dataclass(frozen=True, slots=True)
class _New:
    """A document in memory: where it stands, what it is, how often it holds which term."""

    id: int
    kind: Kind
    file: int
    ordinal: int
    terms: Mapping[str, int]
    claim: Claim | None = None
    record: Record | None = None


class PastCorpus:
    """The ``Corpus`` of another commit; new documents have ids above all of the database's."""

    def __init__(
        self,
        base: CatalogCorpus,
        reading: Reading,
        changed: Mapping[str, Contribution | None],
        facts: Facts,
        tree: Tree,
    ) -> None:
        """Lay the changed files over the database's documents; ``facts`` and ``tree`` are the other commit's."""
        self._base = base
        self._reading = reading
        self._changed = {path: part for path, part in sorted(changed.items()) if part is not None}
        self._paths = frozenset(changed)
        self._facts = facts
        self._tree = tree
        self._texts: dict[int, str] = {}

    def totals(self, kind: Kind = ALL) -> Totals:
        """Number of documents and of terms."""
        base, lengths = self._base.totals(kind), self._base.columns().lengths
        gone = [document for document, known in self._gone.items() if kind in {ALL, known}]
        new = [document for document in self._new.values() if kind in {ALL, document.kind}]
        documents = base.documents - len(gone) + len(new)
        terms = base.terms - sum(lengths[document] for document in gone)
        return Totals(documents, terms + sum(sum(document.terms.values()) for document in new))

    def frequency(self, term: str, kind: Kind = ALL) -> int:
        """In how many documents a term occurs."""
        return self._base.frequency(term, kind) + self._shifts[kind][term]

    def spread(self, kind: Kind = ALL) -> dict[int, int]:
        """Document frequency to number of terms."""
        found = Counter(self._base.spread(kind))
        for term, shift in self._shifts[kind].items():
            before = self._base.frequency(term, kind)
            found[before] -= 1
            found[before + shift] += 1
        return {frequency: terms for frequency, terms in found.items() if frequency and terms}

    def postings(self, term: str) -> Postings:
        """The documents in which a term occurs."""
        base, found = self._base.postings(term), Postings()
        for document, frequency in zip(base.documents, base.frequencies, strict=True):
            if document not in self._gone:
                found.documents.append(document)
                found.frequencies.append(frequency)
        for document in self._holders[term]:
            found.documents.append(document)
            found.frequencies.append(min(self._new[document].terms[term], MOST_OFTEN))
        return found

    def columns(self) -> Columns:
        """Kind, file, ordinal and length of every document."""
        base = self._base.columns()
        found = Columns(*base.pack())
        for document in self._gone:
            found.set(document, Kind.NONE, 0, 0, 0)
        found.grow(max(self._new, default=-1) + 1)
        for new in self._new.values():
            found.set(new.id, new.kind, new.file, new.ordinal, sum(new.terms.values()))
        return found

    def documents(self, ids: Iterable[int]) -> list[Document]:
        """What documents say."""
        found: list[Document] = []
        for number in ids:
            if number in self._new:
                found.append(Document(number, self._new[number].claim, self._new[number].record))
            elif number not in self._gone:
                found += self._base.documents([number])
        return found

    def files_below(self, prefix: str) -> frozenset[int]:
        """Ids of the files whose path starts so."""
        own = (file for path, file in self._files.items() if path.startswith(prefixes(prefix)))
        return (self._base.files_below(prefix) - self._replaced) | frozenset(own)

    def paths(self, files: Iterable[int]) -> dict[int, str]:
        """The paths of files by their ids."""
        wanted = frozenset(files)
        return self._base.paths(wanted) | {file: path for path, file in self._files.items() if file in wanted}

    def holdings(self, path: str) -> Holdings:
        """How much one file holds."""
        if path not in self._paths:
            return self._base.holdings(path)
        part = self._changed.get(path)
        return Holdings(0, 0) if part is None else Holdings(len(part.claims), len(part.records))

    def dated(self, first: str | None, last: str | None) -> frozenset[int]:
        """Documents of which a time meets these days."""
        low, high = first or "", last or "9999-99-99"
        own = (
            new.id
            for new in self._new.values()
            if any(low[: len(moment)] <= moment <= high for moment in _moments(new))
        )
        return (self._base.dated(first, last) - self._gone.keys()) | frozenset(own)

    def speakers(self) -> tuple[Speaker, ...]:
        """Everybody whom archives name, of this commit or the database's."""
        return tuple((self._own_speakers | {_who(speaker): speaker for speaker in self._base.speakers()}).values())

    def said_by(self, speakers: Iterable[Speaker]) -> frozenset[int]:
        """The documents of these speakers."""
        asked = tuple(speakers)
        names = {_who(speaker) for speaker in asked}
        own = (new.id for new in self._new.values() if new.record is not None and _named(new.record) in names)
        return (self._base.said_by(asked) - self._gone.keys()) | frozenset(own)

    def shared(self) -> frozenset[int]:
        """The database's documents that rest on shared messages, and all new ones."""
        return (self._base.shared() - self._gone.keys()) | frozenset(self._new)

    def narrowed(self, reader: Tier | None, choose: Choose) -> frozenset[int]:  # noqa: ARG002  (asked anew each time)
        """What is chosen of the shared documents; another commit may have other promotions than the database."""
        return choose(self.shared())

    # --- what is different

    @cached_property
    def _files(self) -> dict[str, int]:
        """Ids for the changed files, above all of the database's."""
        row = self._reading.row("SELECT coalesce(max(id), 0) + 1 FROM file")
        return {path: file for file, path in enumerate(self._changed, int(row[0]) if row else 1)}

    @cached_property
    def _replaced(self) -> frozenset[int]:
        """The database's files that the commit does not have as they are."""
        query = "SELECT id FROM file WHERE path = ?"
        return frozenset(file for path in self._paths for (file,) in self._reading.rows(query, (path,)))

    @cached_property
    def _gone(self) -> dict[int, Kind]:
        """The database's documents that the commit does not have."""
        kinds = self._base.columns().kinds
        gone = {document: Kind.SOURCE for document, hidden in self._twins.items() if hidden}
        for file in self._replaced:
            for table, kind in (("claim", Kind.BLOCK), ("record", Kind.SOURCE)):
                rows = self._reading.rows(f"SELECT doc FROM {table} WHERE file = ?", (file,))  # noqa: S608
                gone |= {document: kind for (document,) in rows if kinds[document]}
        return gone

    @cached_property
    def _new(self) -> dict[int, _New]:
        """The commit's documents that the database does not have."""
        row = self._reading.row("SELECT coalesce(max(doc), 0) + 1 FROM document")
        first = int(row[0]) if row else 1
        return {new.id: new for new in self._found(first)}

    def _found(self, number: int) -> Iterator[_New]:
        for path, part in self._changed.items():
            file, data = self._files[path], self._tree.read(path) or b""
            for claim in part.claims:
                yield _New(number, Kind.BLOCK, file, claim.ordinal, self._count(block_text(claim)), claim=claim)
                number += 1
            for ordinal, record in enumerate(part.records):
                if record.framed or not self._has_frame(record.handle):
                    yield self._new_record(number, file, ordinal, record, data)
                    number += 1
        for document, hidden in self._twins.items():
            if not hidden:
                file, ordinal, record = self._legacy(document)
                yield self._new_record(number, file, ordinal, record, self._tree.read(record.path) or b"")
                number += 1

    def _new_record(self, number: int, file: int, ordinal: int, record: Record, data: bytes) -> _New:
        text = record_text(record, data[record.body_start : record.body_end].decode("utf-8", "replace"))
        return _New(number, Kind.SOURCE, file, ordinal, self._count(text), record=record)

    @cached_property
    def _twins(self) -> dict[int, bool]:
        """Legacy records of unchanged files that a frame of a changed one begins to hide (``True``) or uncovers."""
        if self._reading.row("SELECT 1 FROM record INDEXED BY record_legacy WHERE framed = 0 LIMIT 1") is None:
            return {}
        handles = {record.handle for part in self._changed.values() for record in part.records}
        for path in self._paths:
            handles |= {record.handle for record in self._base.records_of(path)}
        return {document: hidden for handle in handles for document, hidden in self._turned(handle)}

    def _turned(self, handle: SourceId) -> Iterator[tuple[int, bool]]:
        for document, path, was_hidden, data in self._reading.rows(
            "SELECT doc, path, hidden, data FROM record CROSS JOIN file ON file.id = record.file"
            " WHERE handle_key = ? AND framed = 0",
            (key(handle),),
        ):
            hidden = self._has_frame(handle)
            if path not in self._paths and hidden != bool(was_hidden) and unpack_record(path, data).handle == handle:
                yield document, hidden

    def _has_frame(self, handle: SourceId) -> bool:
        found = self._facts.source(handle)
        return found is not None and found.framed

    def _legacy(self, document: int) -> tuple[int, int, Record]:
        query = "SELECT path, data, file, ordinal FROM record CROSS JOIN file ON file.id = record.file WHERE doc = ?"
        path, data, file, ordinal = self._reading.rows(query, (document,))[0]
        return file, ordinal, unpack_record(path, data)

    def _count(self, text: str) -> Counter[str]:
        from gitmem.terms import terms  # noqa: PLC0415 - loads stemmers, which only indexing and searching need

        return Counter(terms(text))

    @cached_property
    def _holders(self) -> defaultdict[str, list[int]]:
        """New documents by the terms that they hold."""
        holders: defaultdict[str, list[int]] = defaultdict(list)
        for new in self._new.values():
            for term in new.terms:
                holders[term].append(new.id)
        return holders

    @cached_property
    def _shifts(self) -> dict[Kind, Counter[str]]:
        """By how much each term's document frequency differs from the database's."""
        shifts: dict[Kind, Counter[str]] = {kind: Counter() for kind in Kind}
        for document, kind in self._gone.items():
            for term in self._terms_of(document):
                shifts[kind][term] -= 1
                shifts[ALL][term] -= 1
        for new in self._new.values():
            for term in new.terms:
                shifts[new.kind][term] += 1
                shifts[ALL][term] += 1
        return shifts

    def _terms_of(self, document: int) -> Iterator[str]:
        for (data,) in self._reading.rows("SELECT terms FROM document WHERE doc = ?", (document,)):
            for term in Postings(data).documents:
                yield self._term(term)

    def _term(self, number: int) -> str:
        if number not in self._texts:
            self._texts[number] = self._reading.rows("SELECT text FROM term WHERE id = ?", (number,))[0][0]
        return self._texts[number]

    @cached_property
    def _own_speakers(self) -> dict[_Names, Speaker]:
        records = (new.record for new in self._new.values() if new.record is not None)
        names = dict.fromkeys(_named(record) for record in records)
        return {who: Speaker(-number, *who) for number, who in enumerate(names, 1)}


_Names = tuple[str | None, str | None, str, bool]


def _named(record: Record) -> _Names:
    return record.speaker_id, record.speaker_display, record.label, record.speaker_trusted


def _who(speaker: Speaker) -> _Names:
    return speaker.speaker_id, speaker.display, speaker.label, speaker.trusted


def _moments(new: _New) -> tuple[str, ...]:
    if new.claim is not None:
        return new.claim.whens
    day = None if new.record is None else day_of(new.record.timestamp)
    return () if day is None else (day,)
