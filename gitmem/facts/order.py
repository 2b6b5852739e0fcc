"""Orders that every implementation of ``Facts`` shares: creation, newest claims, which record of a handle wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.format.model import Claim, Record
    from gitmem.ids import BlockId


def number_new(claims: Iterable[Claim], known: Callable[[BlockId], bool], first: int) -> dict[BlockId, int]:
    """Give each id that never appeared its place in creation order (``behaviours.md`` 0.6), from ``first`` on.

    ``claims`` come by path and ordinal; inside a claim aliases stand before its own id.
    """
    numbers: dict[BlockId, int] = {}
    for claim in claims:
        for block_id in claim.ids:
            if block_id not in numbers and not known(block_id):
                numbers[block_id] = first + len(numbers)
    return numbers


def newest(claims: Iterable[Claim], created: Callable[[BlockId], int | None], limit: int) -> tuple[Claim, ...]:
    """The last claims by creation of their own id, oldest first; claims of one id by path and ordinal."""

    def place(claim: Claim) -> tuple[int, str, int]:
        return created(claim.id) or 0, claim.path, claim.ordinal

    return tuple(sorted(claims, key=place)[-limit:]) if limit > 0 else ()


def precedence(record: Record) -> tuple[bool, str, int]:
    """The order of records with one handle: v2 frames first (``behaviours.md`` 7.14), then by path and place."""
    return not record.framed, record.path, record.start


def by_place(claim: Claim) -> tuple[str, int]:
    """The order of claims: by path and ordinal."""
    return claim.path, claim.ordinal
