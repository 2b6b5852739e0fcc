"""How much the memory holds, from counters that every change keeps (``cli.md``, ``status``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.catalog.database import Reading


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers of files, blocks and archived messages.

    ``records`` counts a message once, also where a frame hides its legacy copy (7.14). ``pending`` waits for somebody
    to vouch for it, ``uncited`` is trusted and cited by no topic (11.1).
    """

    topics: int
    blocks: int
    archives: int
    records: int
    pending: int
    uncited: int


def read_statistics(reading: Reading) -> Statistics:
    """The counters of one state of the database."""
    totals: dict[str, int] = dict(reading.rows("SELECT name, value FROM total"))
    return Statistics(**{name: totals.get(name, 0) for name in Statistics.__slots__})
