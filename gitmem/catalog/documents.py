"""Documents coming and going: their own terms, the postings, the columns and the counters, all in step."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gitmem.catalog.backlog import let_wait, post
from gitmem.catalog.columns import ColumnsWriter
from gitmem.catalog.postings import Kind, Postings, PostingsWriter, Terms, pack_terms
from gitmem.catalog.tip import last_posted

if TYPE_CHECKING:
    from gitmem.catalog.database import Database
    from gitmem.format.model import Claim, Record

ROLES = frozenset({"user", "assistant", "system", "tool"})
"""Labels that name no speaker; searching for one would find half of the memory."""

_TERMS = {Kind.BLOCK: "block_terms", Kind.SOURCE: "source_terms"}
_COUNT = {Kind.BLOCK: "blocks", Kind.SOURCE: "records"}


def block_text(claim: Claim) -> str:
    """The text by which a block is found."""
    return claim.content


def record_text(record: Record, body: str) -> str:
    """The text by which an archived message is found: who said it, unless that is only a role, and what."""
    return body if record.label in ROLES else f"{record.label}: {body}"


class Documents:
    """Writes documents in one write transaction; ``finish`` completes it."""

    def __init__(self, database: Database, generation: int, *, complete: bool = True) -> None:
        """Take a database in a write transaction that makes it this ``generation``.

        Unless ``complete``, new documents wait for their postings (``gitmem.catalog.backlog``).
        """
        from gitmem.terms import terms  # noqa: PLC0415 - loads stemmers, which only indexing and searching need

        self._database = database
        self._cut = terms
        self._terms = Terms(database)
        if complete:
            post(database)
        self._postings = PostingsWriter(database)
        self._columns = ColumnsWriter(database, generation)
        self._next = database.number("SELECT coalesce(max(doc), 0) + 1 FROM document")
        self._posted: int | None = None
        if not complete:
            posted = last_posted(database)
            self._posted = self._next - 1 if posted is None else posted
        self.totals: Counter[str] = Counter()

    def add(self, kind: Kind, file: int, ordinal: int, text: str) -> int:
        """Index a text and give its document id."""
        document = self._next
        self._next += 1
        terms = pack_terms(self._terms.count(self._cut(text)))
        self._database.execute("INSERT INTO document VALUES (?, ?)", (document, terms))
        self._use(document, kind, file, ordinal, terms)
        return document

    def move(self, document: int, ordinal: int) -> None:
        """A document stands at another place of its file."""
        self._columns.move(document, ordinal)

    def drop(self, document: int, kind: Kind, *, hidden: bool = False) -> None:
        """Forget a document; a hidden one is in no posting already."""
        if not hidden:
            self.hide(document, kind)
        self._database.execute("DELETE FROM document WHERE doc = ?", (document,))

    def hide(self, document: int, kind: Kind) -> None:
        """Take a document out of search, keeping its terms."""
        terms = self._own_terms(document)
        if not self._waits(document):
            self._postings.remove(document, kind, terms)
        self._columns.clear(document)
        self._tally(kind, -1, sum(Postings(terms).frequencies))

    def show(self, document: int, kind: Kind, file: int, ordinal: int) -> None:
        """Put a hidden document back into search."""
        self._use(document, kind, file, ordinal, self._own_terms(document))

    def _own_terms(self, document: int) -> bytes:
        row = self._database.row("SELECT terms FROM document WHERE doc = ?", (document,))
        return bytes(row[0]) if row else b""

    def _use(self, document: int, kind: Kind, file: int, ordinal: int, terms: bytes) -> None:
        length = sum(Postings(terms).frequencies)
        if not self._waits(document):
            self._postings.add(document, kind, terms)
        self._columns.set(document, kind, file, ordinal, length)
        self._tally(kind, 1, length)

    def _waits(self, document: int) -> bool:
        return self._posted is not None and document > self._posted

    def _tally(self, kind: Kind, sign: int, length: int) -> None:
        self.totals[_COUNT[kind]] += sign
        self.totals[_TERMS[kind]] += sign * length

    def finish(self) -> None:
        """Write what was collected."""
        self._postings.finish()
        self._columns.finish()
        if self._posted is not None:
            let_wait(self._database, self._posted)
        self._database.many(
            "INSERT INTO total VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value",
            [(name, value) for name, value in self.totals.items() if value],
        )
