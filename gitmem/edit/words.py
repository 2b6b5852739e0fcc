"""Two changes of one text brought together word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


class _Change(NamedTuple):
    """The words from ``start`` to ``end`` become others; an insertion ends where it starts."""

    start: int
    end: int
    words: tuple[str, ...]

    def meets(self, other: _Change) -> bool:
        """Whether the two change the same words, or begin in the same place."""
        return self.start == other.start or (self.start < other.end and other.start < self.end)


def merge_words(base: str, ours: str, theirs: str) -> str | None:
    """The text with what ``ours`` and ``theirs`` each changed of ``base``; ``None`` where the two changes meet.

    Changes meet when they replace the same words, or put something in the same place; the same change on both sides
    counts once.
    """
    was = _WORDS.findall(base)
    changes = sorted({*_changes(was, ours), *_changes(was, theirs)})
    if any(one.meets(other) for one, other in pairwise(changes)):
        return None
    return "".join(_applied(was, changes))


def _changes(was: Sequence[str], text: str) -> Iterable[_Change]:
    now = _WORDS.findall(text)
    matcher = SequenceMatcher(None, was, now, autojunk=False)
    return [_Change(a, b, tuple(now[c:d])) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]


def _applied(was: Sequence[str], changes: Iterable[_Change]) -> Iterable[str]:
    at = 0
    for change in changes:
        yield from was[at : change.start]
        yield from change.words
        at = change.end
    yield from was[at:]
