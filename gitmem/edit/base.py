"""What edits work on and what they hand back (``architecture.md`` section 3, steps 3 and 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from gitmem.store.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.ids import BlockId, EvidenceId


class StagingArea(Tree, Protocol):
    """A tree that is being changed; what is written shows at once in every other answer of it."""

    def write(self, path: str, data: bytes) -> None:
        """Set the file's bytes."""
        ...

    def delete(self, path: str) -> None:
        """Make the file absent."""
        ...


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """What an edit did to the staging area.

    ``block_ids`` names the new blocks ``topics/x.md#n``, n from 1 in document order; ``evidence_ids`` names local
    labels ``topics/x.md#e1``. ``touched`` are the paths that the edit wrote or deleted, sorted; files whose links
    follow a move are among them.
    """

    block_ids: Mapping[str, BlockId] = field(default_factory=dict)
    evidence_ids: Mapping[str, EvidenceId] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
