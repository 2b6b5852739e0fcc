"""Cutting pending turns into batches (``behaviours.md`` 10.2, 10.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.writer.base import BatchTurn


def leading_batch(
    turns: Sequence[BatchTurn], threshold: int, count: Callable[[str], int], *, force: bool = False
) -> tuple[BatchTurn, ...]:
    """The shortest run of leading turns that together reach ``threshold`` tokens.

    ``count`` gives a text's tokens. When all turns together stay below the threshold there is no batch, unless
    ``force`` asks for the rest. Raises ``INVALID_ARGUMENT`` for a threshold below 1 (0.25).
    """
    if threshold < 1:
        message = f"a batch needs a positive threshold of tokens, not {threshold}; set gitmem.writer.triggerTokens"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    tokens = 0
    for end, turn in enumerate(turns, start=1):
        tokens += count(turn.content)
        if tokens >= threshold:
            return tuple(turns[:end])
    return tuple(turns) if force else ()


def batches(
    turns: Sequence[BatchTurn], threshold: int, count: Callable[[str], int], *, force: bool = False
) -> Iterator[tuple[BatchTurn, ...]]:
    """Every batch in order; together they are all turns under ``force``, else a prefix of them."""
    rest = turns
    while batch := leading_batch(rest, threshold, count, force=force):
        yield batch
        rest = rest[len(batch) :]
