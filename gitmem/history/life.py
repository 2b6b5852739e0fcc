"""What happened to one block, followed through merges and back out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.catalog.step import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.history import CatalogHistory, ChainLink
    from gitmem.catalog.step import Event
    from gitmem.ids import BlockId

WRITING = frozenset({EventKind.ADDED, EventKind.CHANGED, EventKind.MERGED})
"""What makes a claim what it is; where it stands is another matter."""

_END = 1 << 62


class Happening(NamedTuple):
    """One thing that a commit did to a block, or to the block that carried its id then."""

    link: ChainLink
    event: Event


def life(history: CatalogHistory, block_id: BlockId) -> tuple[Happening, ...]:
    """Everything that happened to a block, oldest first; nothing for a message's handle, which was archived.

    From the commit that merged it into another block on, its life is that block's, until its id stands alone again;
    likewise when an alias takes over.
    """
    return tuple(_between(history, block_id, -1, _END))


def _between(history: CatalogHistory, name: str, after: int, before: int) -> Iterator[Happening]:
    found = (Happening(*one) for one in history.block(name))  # type: ignore[arg-type]
    own = [one for one in found if after < one.link.seq < before and one.event.kind is not EventKind.ARCHIVED]
    for at, happening in enumerate(own):
        yield happening
        other, seq = happening.event.other, happening.link.seq
        carried_on = happening.event.kind in {EventKind.MERGED, EventKind.CHANGED}
        if other is not None and carried_on:
            until = next((later.link.seq for later in own[at + 1 :] if later.link.seq > seq), before)
            yield from _between(history, other, seq, until)


def writers(happenings: tuple[Happening, ...]) -> tuple[ChainLink, ...]:
    """The commits that wrote what the block says, each once, oldest first."""
    return tuple(dict.fromkeys(found.link for found in happenings if found.event.kind in WRITING))
