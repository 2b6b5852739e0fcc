"""Trusted messages that no topic cites: what backfilling begins with (``behaviours.md`` 11.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.values import unpack_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.database import Reading
    from gitmem.format.model import Record

_UNCITED = (
    "SELECT file.path, record.data FROM record JOIN file ON file.id = record.file"
    " WHERE record.cited = 0 AND record.pending = 0 AND record.hidden = 0 ORDER BY file.path, record.ordinal"
)


def read_uncited(reading: Reading) -> Iterator[Record]:
    """Give them by archive, in the order in which they were archived; a message that stands twice is given once."""
    for path, data in reading.rows(_UNCITED):
        yield unpack_record(path, data)
