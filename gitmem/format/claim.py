"""Claims and their comparison: what two states of the memory say differently, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.format.model import Claim
    from gitmem.ids import BlockId


@dataclass(frozen=True, slots=True)
class Changed:
    """A claim whose prose, evidence or ids changed under the same own id."""

    before: Claim
    after: Claim


@dataclass(frozen=True, slots=True)
class Moved:
    """A claim that stands in another file, or under other headings; it may also have changed (then it is in both lists)."""

    before: Claim
    after: Claim


@dataclass(frozen=True, slots=True)
class Merged:
    """An id that was a block's own and is now an alias of another block."""

    id: BlockId
    into: BlockId
    before: Claim


@dataclass(frozen=True, slots=True)
class ClaimsDiff:
    """The claim-level difference of two states; every list ordered by path and ordinal (of the after side if any)."""

    added: tuple[Claim, ...] = ()
    changed: tuple[Changed, ...] = ()
    moved: tuple[Moved, ...] = ()
    merged: tuple[Merged, ...] = ()
    removed: tuple[Claim, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.added or self.changed or self.moved or self.merged or self.removed)
