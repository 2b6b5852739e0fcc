"""What search asks of the documents of one commit: how many hold a term, which, how long they are, what they say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from gitmem.catalog.columns import Columns, read_runs
from gitmem.catalog.postings import Kind, Postings
from gitmem.catalog.tip import tip_of
from gitmem.catalog.values import key, packed, unpack_claim, unpack_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gitmem.catalog.database import Reading
    from gitmem.format.model import Claim, Record, Tier

    Choose = Callable[[frozenset[int]], frozenset[int]]

ALL = Kind.NONE
"""Asks about blocks and sources together."""

_PROBE = "Naïve CAFÉ don't running 2024-05-06 бегущие 記憶の東京タワー 한국어 ภาษาไทย x_y \uff46ull"
_PAST_ANY_PATH = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Totals:
    """How many documents there are, and how many terms in all of them."""

    documents: int
    terms: int


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many blocks and archived messages a file holds, hidden ones included."""

    blocks: int
    records: int


@dataclass(frozen=True, slots=True)
class Document:
    """One document: a block's claim, or a source's record."""

    id: int
    claim: Claim | None
    record: Record | None


@dataclass(frozen=True, slots=True)
class Speaker:
    """One way in which archives name a speaker; ``id`` is the catalogue's own number for it."""

    id: int
    speaker_id: str | None
    display: str | None
    label: str
    trusted: bool


class Corpus(Protocol):
    """The documents of one commit. A legacy record that a frame hides is none of them (``behaviours.md`` 7.14)."""

    def totals(self, kind: Kind = ALL) -> Totals:
        """Number of documents and of terms."""
        ...

    def frequency(self, term: str, kind: Kind = ALL) -> int:
        """In how many documents a term occurs."""
        ...

    def spread(self, kind: Kind = ALL) -> Mapping[int, int]:
        """Document frequency to the number of distinct terms that have it."""
        ...

    def postings(self, term: str) -> Postings:
        """The documents, of both kinds, in which a term occurs, ascending, and how often."""
        ...

    def columns(self) -> Columns:
        """Kind, file, ordinal and length of every document; not to be changed."""
        ...

    def documents(self, ids: Iterable[int]) -> list[Document]:
        """What documents say, in the order asked for; ids that are not in use are left out."""
        ...

    def files_below(self, prefix: str) -> frozenset[int]:
        """Ids of the files whose path starts so; archives also by their path without ``_v2/`` (16.2)."""
        ...

    def paths(self, files: Iterable[int]) -> dict[int, str]:
        """The paths of files by their ids."""
        ...

    def holdings(self, path: str) -> Holdings:
        """How much one file holds."""
        ...

    def dated(self, first: str | None, last: str | None) -> frozenset[int]:
        """Documents of which a time meets these days (``YYYY-MM-DD``, both included; ``None``: open)."""
        ...

    def speakers(self) -> tuple[Speaker, ...]:
        """Everybody whom archives name."""
        ...

    def said_by(self, speakers: Iterable[Speaker]) -> frozenset[int]:
        """The documents of these speakers."""
        ...

    def shared(self) -> frozenset[int]:
        """At least every document of which a source is of the paired tier; the few that a paired reader may see."""
        ...

    def narrowed(self, reader: Tier | None, choose: Choose) -> frozenset[int]:
        """What ``choose`` takes of the shared documents for the reader; it may be asked once for all of one state."""
        ...


_SAID = "SELECT doc, target_key FROM record WHERE hidden = 0 AND "
_SHARED = (
    f"WITH said AS MATERIALIZED ({_SAID}{{chosen}})"  # noqa: S608  (fixed texts)
    " SELECT doc FROM said UNION SELECT cite.doc FROM said CROSS JOIN cite ON cite.target_key = said.target_key"
)
_PAIRED = _SHARED.format(chosen="instr(data, '\"paired\"') > 0")
_PROMOTED = _SHARED.format(chosen="handle_key = ?")


class ColumnsCache:
    """The columns of a database as last read by this process; only what changed since is read again."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self._columns = Columns()
        self._epoch: object = None
        self._generation = -1
        self._shared: tuple[object, frozenset[int]] = (None, frozenset())
        self._narrowed: dict[Tier | None, frozenset[int]] = {}

    def shared(self, reading: Reading) -> frozenset[int]:
        """The documents that rest on messages of the paired tier; asked again when documents or promotions changed."""
        self.read(reading)
        state = (self._epoch, self._generation, tip_of(reading))  # promotions are no documents, but of a commit
        if self._shared[0] != state:
            self._narrowed = {}
            rows = reading.rows(_PAIRED)
            for (handle,) in reading.rows("SELECT handle FROM promoted WHERE tier = 'paired'"):
                rows += reading.rows(_PROMOTED, (key(handle),))
            self._shared = (state, frozenset(document for (document,) in rows))
        return self._shared[1]

    def narrowed(self, reading: Reading, reader: Tier | None, choose: Choose) -> frozenset[int]:
        """What was chosen of those documents for a reader, in the same state."""
        shared = self.shared(reading)
        if reader not in self._narrowed:
            self._narrowed[reader] = choose(shared)
        return self._narrowed[reader]

    def read(self, reading: Reading) -> Columns:
        """The columns of one state of the database."""
        meta: dict[str, object] = dict(reading.rows("SELECT name, value FROM meta"))
        generation = int(str(meta.get("generation", 0)))
        if meta.get("epoch") != self._epoch or generation < self._generation:
            self._columns, self._generation = Columns(), -1
        if generation > self._generation:
            for run, columns in read_runs(reading, self._generation):
                self._columns.place(run, columns)
        self._epoch, self._generation = meta.get("epoch"), generation
        return self._columns


class CatalogCorpus:
    """The ``Corpus`` of the commit that the database holds."""

    def __init__(self, reading: Reading, cache: ColumnsCache, complete: Callable[[], None] = lambda: None) -> None:
        """Ask this state of the database; ``complete`` is called before postings are read."""
        self._reading = reading
        self._cache = cache
        self._complete = complete

    def totals(self, kind: Kind = ALL) -> Totals:
        """Number of documents and of terms."""
        found: dict[str, int] = dict(self._reading.rows("SELECT name, value FROM total"))
        blocks = Totals(found.get("blocks", 0), found.get("block_terms", 0))
        sources = Totals(found.get("records", 0), found.get("source_terms", 0))
        both = Totals(blocks.documents + sources.documents, blocks.terms + sources.terms)
        return {Kind.BLOCK: blocks, Kind.SOURCE: sources}.get(kind, both)

    def frequency(self, term: str, kind: Kind = ALL) -> int:
        """In how many documents a term occurs."""
        self._complete()
        row = self._reading.row("SELECT blocks, sources FROM term WHERE text = ?", (term,))
        blocks, sources = (0, 0) if row is None else row
        return int({Kind.BLOCK: blocks, Kind.SOURCE: sources}.get(kind, blocks + sources))

    def spread(self, kind: Kind = ALL) -> dict[int, int]:
        """Document frequency to number of terms."""
        self._complete()
        return dict(self._reading.rows("SELECT frequency, terms FROM spread WHERE kind = ?", (kind.value,)))

    def postings(self, term: str) -> Postings:
        """The documents in which a term occurs."""
        self._complete()
        found = Postings()
        for (data,) in self._reading.rows(
            "SELECT data FROM term CROSS JOIN posting ON posting.term = term.id WHERE text = ? ORDER BY chunk", (term,)
        ):
            found.extend(Postings(data))
        return found

    def columns(self) -> Columns:
        """Kind, file, ordinal and length of every document."""
        self._complete()
        return self._cache.read(self._reading)

    def documents(self, ids: Iterable[int]) -> list[Document]:
        """What documents say."""
        found = (self._claim(number) or self._record(number) for number in ids)
        return [document for document in found if document is not None]

    def _claim(self, number: int) -> Document | None:
        row = self._reading.row(
            "SELECT path, ordinal, line, data FROM claim CROSS JOIN file ON file.id = claim.file WHERE doc = ?",
            (number,),
        )
        return None if row is None else Document(number, unpack_claim(*row), None)

    def _record(self, number: int) -> Document | None:
        row = self._reading.row(
            "SELECT path, data FROM record CROSS JOIN file ON file.id = record.file WHERE doc = ? AND hidden = 0",
            (number,),
        )
        return None if row is None else Document(number, None, unpack_record(*row))

    def records_of(self, path: str) -> tuple[Record, ...]:
        """The records of one archive in file order, hidden ones too."""
        query = "SELECT data FROM record WHERE file = (SELECT id FROM file WHERE path = ?) ORDER BY ordinal"
        return tuple(unpack_record(path, data) for (data,) in self._reading.rows(query, (path,)))

    def files_below(self, prefix: str) -> frozenset[int]:
        """Ids of the files whose path starts so."""
        return frozenset(
            file
            for start in prefixes(prefix)
            for (file,) in self._reading.rows(
                "SELECT id FROM file WHERE path >= ? AND path < ?", (start, start + _PAST_ANY_PATH)
            )
        )

    def paths(self, files: Iterable[int]) -> dict[int, str]:
        """The paths of files by their ids."""
        return {
            file: path
            for wanted in files
            for file, path in self._reading.rows("SELECT id, path FROM file WHERE id = ?", (wanted,))
        }

    def holdings(self, path: str) -> Holdings:
        """How much one file holds."""
        row = self._reading.row(
            "SELECT (SELECT count(*) FROM claim WHERE claim.file = file.id),"
            " (SELECT count(*) FROM record WHERE record.file = file.id) FROM file WHERE path = ?",
            (path,),
        )
        return Holdings(0, 0) if row is None else Holdings(*row)

    def dated(self, first: str | None, last: str | None) -> frozenset[int]:
        """Documents of which a time meets these days."""
        # "2024" and "2024-05" are met when any of their days is: the bound is cut to their length
        low, high = first or "", last or "9999-99-99"
        rows = self._reading.rows(
            "SELECT doc FROM dated WHERE moment BETWEEN ? AND ? AND moment >= substr(?, 1, length(moment))"
            " UNION SELECT doc FROM record WHERE day BETWEEN ? AND ? AND hidden = 0",
            (low[:4], high, low, low, high),
        )
        return frozenset(number for (number,) in rows)

    def speakers(self) -> tuple[Speaker, ...]:
        """Everybody whom archives name."""
        rows = self._reading.rows(
            "SELECT id, ident, display, label, trusted FROM speaker"
            " WHERE EXISTS (SELECT 1 FROM record WHERE record.speaker = speaker.id) ORDER BY id"
        )
        return tuple(Speaker(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows)

    def shared(self) -> frozenset[int]:
        """The documents that rest on messages of the paired tier."""
        self._complete()
        return self._cache.shared(self._reading)

    def narrowed(self, reader: Tier | None, choose: Choose) -> frozenset[int]:
        """What is chosen of the shared documents, once for each state of the database."""
        self._complete()
        return self._cache.narrowed(self._reading, reader, choose)

    def said_by(self, speakers: Iterable[Speaker]) -> frozenset[int]:
        """The documents of these speakers."""
        query = "SELECT doc FROM record WHERE speaker = ? AND hidden = 0"
        return frozenset(number for who in speakers for (number,) in self._reading.rows(query, (who.id,)))


def prefixes(prefix: str) -> tuple[str, ...]:
    """The physical prefixes of a path prefix: an archive is also known by its path without ``_v2/``."""
    folder, _, rest = prefix.partition("/")
    provider, slash, thread = rest.partition("/")
    if folder == "sources" and slash and not thread.startswith("_v2/"):
        return prefix, f"{folder}/{provider}/_v2/{thread}"
    return (prefix,)


def has_own_terms(reading: Reading) -> bool:
    """Whether the postings were made by the tokenizer that queries are cut with."""
    return reading.row("SELECT value FROM meta WHERE name = 'terms'") in {None, (terms_fingerprint(),)}


@cache
def terms_fingerprint() -> int:
    """Tells tokenizers apart: postings made by another one would not be found."""
    from gitmem.terms import terms  # noqa: PLC0415 - loads stemmers, which only indexing and searching need

    return key(packed(terms(_PROBE)))
