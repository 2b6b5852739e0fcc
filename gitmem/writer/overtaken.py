"""Turns that another process wrote while this one was about to: they are neither written nor paid for twice (0.16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, GitmemError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.conversations.pending import PendingTurn
    from gitmem.ids import SourceId


class Overtaken(GitmemError):
    """Another process wrote turns of a batch; ``left`` is how many of them it did not write."""

    codes = frozenset({Code.CONCURRENT_UPDATE})

    def __init__(self, left: int) -> None:
        """Not a ``Conflict``: trying the same batch again is of no use."""
        message = "another process wrote part of the conversation meanwhile; try again"
        super().__init__(Code.CONCURRENT_UPDATE, message)
        self.left = left


def refuse_if_overtaken(turns: Sequence[PendingTurn], archived: Callable[[SourceId], bool]) -> None:
    """Raise ``Overtaken`` when some of the turns, which were due a while ago, are written by now.

    To be asked whenever the memory was read again, before the writer is asked and before its result is installed.
    """
    written = sum(archived(turn.handle) for turn in turns)
    if written:
        raise Overtaken(left=len(turns) - written)
