"""New block ids: the same request gives the same ids in any workspace with the same history (``behaviours.md`` 2.2)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from gitmem.ids import BlockId

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.facts.base import Facts
    from gitmem.ids import EvidenceId

_DIGITS = 8


class BlockIds:
    """Issues ids that nothing in the workspace's history has; remembers those it issued."""

    def __init__(self, facts: Facts) -> None:
        """Avoid every id that ``facts`` ever saw."""
        self._facts = facts
        self.issued: set[BlockId] = set()
        self._reserved: set[BlockId] = set()

    def reserve(self, ids: Iterable[BlockId]) -> None:
        """Never issue these: ids that texts of this transaction hold."""
        self._reserved.update(ids)

    def issue(self, content: str, evidence: Iterable[EvidenceId]) -> BlockId:
        """The first 8 hex digits of a SHA-256 over prose and evidence; counted on while the id is taken."""
        said = "\n".join([content, *evidence])
        counter = 0
        while True:
            text = f"{said}\n{counter}" if counter else said
            found = BlockId(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS])
            if self._facts.created(found) is None and found not in self.issued | self._reserved:
                self.issued.add(found)
                return found
            counter += 1
