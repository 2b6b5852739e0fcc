"""How much an answer may hold, in tokens of o200k_base; counted only where bytes could exceed it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

from gitmem import tokens
from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

USUAL = 4_000
LEAST, MOST = 150, 20_000
_FOR_NOTES = 80
"""What is kept free for saying that there is more."""


def larger(text: str, data: object) -> str:
    """The longer of an item's text and its JSON: either has to fit."""
    told = json.dumps(data, ensure_ascii=False)
    return told if len(told) > len(text) else text


@dataclass(frozen=True, slots=True)
class Budget:
    """The tokens of one answer."""

    tokens: int = USUAL

    @classmethod
    def of(cls, wanted: int | None) -> Budget:
        """The budget that an argument asks for. Raises ``InvalidRequest``."""
        if wanted is None:
            return cls()
        if not LEAST <= wanted <= MOST:
            message = f"max_tokens is from {LEAST} to {MOST}, not {wanted}"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
        return cls(wanted)

    def fitting(
        self, items: Sequence[T], show: Callable[[T], str], shorten: Callable[[T, int], T] | None = None
    ) -> list[T]:
        """The leading items whose texts fit together, at least one where there are any.

        ``shorten(item, characters)`` gives an item with less of its text, for a first one that is larger than all room.
        """
        left = self.tokens - _FOR_NOTES
        room = tokens.Room(left)
        fit = list(takewhile(lambda item: room.take(show(item)), items))
        if fit or not items:
            return fit
        if shorten is None:
            return [items[0]]
        shorter = partial(shorten, items[0])
        return [shorter(_longest(4 * self.tokens, lambda size: not tokens.exceeds(show(shorter(size)), left)))]

    def cut(self, text: str) -> tuple[str, bool]:
        """The beginning of a text that fits, in whole lines where there are several; and whether something is left."""
        left = self.tokens - _FOR_NOTES
        if not tokens.exceeds(text, left):
            return text, False
        size = _longest(len(text), lambda size: not tokens.exceeds(text[:size], left))
        line = text.rfind("\n", 0, size)
        return text[: line if line > 0 else size], True


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """The largest size up to ``most`` that fits."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
