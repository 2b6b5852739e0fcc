"""Which commit a database holds, and how far its postings go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.ids import ZERO_OID, Oid

if TYPE_CHECKING:
    from gitmem.catalog.database import Reading


def tip_of(database: Reading) -> Oid:
    """The commit that a database holds; the zero id for none."""
    row = database.row("SELECT oid FROM chain ORDER BY seq DESC LIMIT 1")
    return ZERO_OID if row is None else Oid(row[0])


def last_posted(reading: Reading) -> int | None:
    """The last document that has postings, where later ones wait for theirs; ``None`` when none waits."""
    row = reading.row("SELECT value FROM meta WHERE name = 'posted'")
    return None if row is None else int(row[0])
