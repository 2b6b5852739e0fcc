"""Which archived messages were given to a writer by backfilling, whatever it made of them (``behaviours.md`` 11.3).

A message that holds nothing worth recording stays uncited for ever; without this it would be read, and paid for, at
every backfilling. It is runtime state, no memory: whoever deletes the file has everything uncited read once more.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from gitmem.format.layout import anchor
from gitmem.store.state_files import read_state, write_state

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gitmem.ids import SourceId

FILE = "backfill.json"
_VERSION = 1


class Ledger:
    """The messages that were read, as the anchors of their frames."""

    def __init__(self, runtime: Path) -> None:
        """Read what is known in ``runtime``, the memory's runtime folder; what cannot be read counts as nothing."""
        self._path = runtime / FILE
        self._read = _load(self._path)

    def has(self, handle: SourceId) -> bool:
        """Whether a writer read the message."""
        return anchor(handle) in self._read

    def add(self, handles: Iterable[SourceId]) -> None:
        """Keep that a writer read them, best effort: what is lost is read again."""
        self._read.update(anchor(handle) for handle in handles)
        with suppress(OSError):
            write_state(self._path, json.dumps({"version": _VERSION, "read": sorted(self._read)}).encode())


def _load(path: Path) -> set[str]:
    try:
        found = json.loads(read_state(path) or b"{}")
        if found.get("version") != _VERSION:
            return set()
        return {name for name in found["read"] if isinstance(name, str)}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return set()
