"""Documents whose postings are not written yet.

A document that comes alone changes a row for each of its terms; thousands that come together change hardly more. So
whoever brings many commits one after the other lets their documents wait. They have everything else that documents
have, and get their postings before anybody searches.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from gitmem.catalog.postings import HELD_DOCUMENTS, Kind, PostingsWriter
from gitmem.catalog.schema import DOCUMENTS_PER_CHUNK
from gitmem.catalog.tip import last_posted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.database import Database

MOST_WAITING = 2 * HELD_DOCUMENTS
"""How many documents may wait, so that no search has to wait long for them."""


def let_wait(database: Database, posted: int) -> None:
    """Note that the documents after this one wait; there may be none."""
    last = database.number("SELECT coalesce(max(doc), 0) FROM document")
    if last > posted:
        database.execute("INSERT OR REPLACE INTO meta VALUES ('posted', ?)", (posted,))
    if last > posted + MOST_WAITING:
        post(database)


def post(database: Database) -> None:
    """Write the postings of those that wait, in a write transaction."""
    posted = last_posted(database)
    if posted is None:
        return
    postings = PostingsWriter(database, posted // DOCUMENTS_PER_CHUNK)
    for document, kind, terms in _waiting(database, posted):
        postings.add(document, kind, terms)
    postings.finish()
    database.execute("DELETE FROM meta WHERE name = 'posted'")


def _waiting(database: Database, posted: int) -> Iterator[tuple[int, Kind, bytes]]:
    """Those that are in use, with their packed terms; a hidden one gets its postings when it is shown."""
    last = database.number("SELECT coalesce(max(doc), 0) FROM document")
    for first in range(posted + 1, last + 1, HELD_DOCUMENTS):
        rows = database.rows(
            "SELECT doc, terms FROM document WHERE doc BETWEEN ? AND ? ORDER BY doc",
            (first, min(last, first + HELD_DOCUMENTS - 1)),
        )
        for run, documents in groupby(rows, lambda row: int(row[0]) // DOCUMENTS_PER_CHUNK):
            kinds = _kinds(database, run)
            for document, terms in documents:
                kind = Kind(kinds[document % DOCUMENTS_PER_CHUNK])
                if kind is not Kind.NONE:
                    yield document, kind, terms


def _kinds(database: Database, run: int) -> bytes:
    row = database.row("SELECT kinds FROM chunk WHERE id = ?", (run,))
    return bytes(DOCUMENTS_PER_CHUNK) if row is None else bytes(row[0])
