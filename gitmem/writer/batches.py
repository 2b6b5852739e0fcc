"""Cutting pending turns into batches (``behaviours.md`` 10.2, 10.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gitmem.writer.base import BatchTurn

T = TypeVar("T")


def cut(turns: Iterable[T], threshold: int, tokens: Callable[[T], int]) -> Iterator[tuple[tuple[T, ...], bool]]:
    """The shortest runs of turns that reach ``threshold`` tokens, and at last what is left; with whether they do.

    Turns are taken as they are needed. Raises ``INVALID_ARGUMENT`` for a threshold below 1 (0.25).
    """
    if threshold < 1:
        message = f"a batch needs a positive threshold of tokens, not {threshold}; set gitmem.writer.triggerTokens"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    run: list[T] = []
    total = 0
    for turn in turns:
        run.append(turn)
        total += tokens(turn)
        if total >= threshold:
            yield tuple(run), True
            run, total = [], 0
    if run:
        yield tuple(run), False


def leading_batch(
    turns: Sequence[BatchTurn], threshold: int, count: Callable[[str], int], *, force: bool = False
) -> tuple[BatchTurn, ...]:
    """The shortest run of leading turns that together reach ``threshold`` tokens.

    ``count`` gives a text's tokens. When all turns together stay below the threshold there is no batch, unless
    ``force`` asks for the rest. Raises as ``cut`` does.
    """
    return next(batches(turns, threshold, count, force=force), ())


def batches(
    turns: Iterable[BatchTurn], threshold: int, count: Callable[[str], int], *, force: bool = False
) -> Iterator[tuple[BatchTurn, ...]]:
    """Every batch in order; together they are all turns under ``force``, else a prefix of them."""
    for batch, reached in cut(turns, threshold, lambda turn: count(turn.content)):
        if reached or force:
            yield batch
