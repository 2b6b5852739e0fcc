"""Which commit a database holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.ids import ZERO_OID, Oid

if TYPE_CHECKING:
    from gitmem.catalog.database import Reading


def tip_of(database: Reading) -> Oid:
    """The commit that a database holds; the zero id for none."""
    row = database.row("SELECT oid FROM chain ORDER BY seq DESC LIMIT 1")
    return ZERO_OID if row is None else Oid(row[0])
