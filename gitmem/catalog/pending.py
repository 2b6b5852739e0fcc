"""Messages that nobody vouches for yet: what a promotion chooses from (``behaviours.md`` 0.4, part 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.values import unpack_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.database import Reading
    from gitmem.format.model import Record

_PENDING = (
    "SELECT file.path, record.data FROM record JOIN file ON file.id = record.file"
    " WHERE record.pending = 1 AND record.hidden = 0 ORDER BY file.path, record.ordinal"
)


def read_pending(reading: Reading) -> Iterator[Record]:
    """Give them by archive, in the order in which they were archived."""
    for path, data in reading.rows(_PENDING):
        yield unpack_record(path, data)
