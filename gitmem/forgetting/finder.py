"""Looking for thousands of texts at once: what is searched for at the end, and how.

A text counts where it stands byte for byte. Handles count as whole ones only: ``chat/t/m1`` is not in ``chat/t/m10``.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gitmem.format.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TELLING = 20
"""Bytes that a line must have, so that finding it says something; shorter ones are said by everybody."""

HEAD = 36
"""Characters of a longer line that are looked for."""

_KEY = 8
_SENTENCE_END = re.compile(r"(?<=[.!?\u2026\u3002\uff01\uff1f])\s*(?=\S)")
_IN_HANDLE = re.compile(rb"[A-Za-z0-9_]")
_AFTER_HANDLE = re.compile(rb"[A-Za-z0-9_.~%/-]*[A-Za-z0-9_]")
_NOISE = re.compile(r"[\s\W_]+")


class Needle(NamedTuple):
    """One text to look for; ``kind`` is ``text``, ``claim``, ``handle`` or ``anchor``."""

    kind: str
    text: bytes


def text_needles(kind: str, text: str) -> Iterator[Needle]:
    """How the telling lines of a text begin, and its sentences, which is what is quoted: as they stand, and as JSON.

    Of a longer one the first characters are looked for: subjects and labels quote no more.
    """
    for line in text.split("\n"):
        for piece in dict.fromkeys((line, *_SENTENCE_END.split(line))):
            for form in {piece.strip(), one_line(piece)}:
                if len(form.encode("utf-8", "surrogatepass")) >= TELLING and _NOISE.sub("", form):
                    yield from _spelled(kind, form[:HEAD])


def _spelled(kind: str, text: str) -> Iterator[Needle]:
    for form in {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}:
        yield Needle(kind, form.encode("utf-8", "surrogatepass"))


class Finder:
    """Finds any of many texts in bytes, at a cost that hardly depends on how many there are."""

    def __init__(self, needles: Iterable[Needle]) -> None:
        """Sort the needles by their last bytes, in which they differ most; short ones are looked for one by one."""
        self.needles = tuple(sorted(set(needles)))
        self._by_key: defaultdict[bytes, list[Needle]] = defaultdict(list)
        self._short = [needle for needle in self.needles if len(needle.text) < _KEY]
        self._tables = np.zeros((_KEY // 2, 1 << 16), dtype=bool)
        for needle in self.needles:
            if len(needle.text) >= _KEY:
                self._by_key[needle.text[-_KEY:]].append(needle)
                for place, pair in enumerate(np.frombuffer(needle.text[-_KEY:], dtype="<u2")):
                    self._tables[place, pair] = True

    def find(self, data: bytes) -> Needle | None:
        """The first needle that stands in the bytes."""
        return next(self._found(data), None)

    def _found(self, data: bytes) -> Iterator[Needle]:
        for needle in self._short:
            yield from (
                needle for found in re.finditer(re.escape(needle.text), data) if _counts(needle, data, found.start())
            )
        for place in self._candidates(data):
            for needle in self._by_key.get(data[place : place + _KEY], ()):
                start = place + _KEY - len(needle.text)
                if start >= 0 and data.startswith(needle.text, start) and _counts(needle, data, start):
                    yield needle

    def _candidates(self, data: bytes) -> list[int]:
        """Places whose next eight bytes may end a needle: each pair of them does, at its place, in some needle."""
        size = len(data) - _KEY + 1
        if size <= 0 or not self._by_key:
            return []
        raw = np.frombuffer(data, dtype=np.uint8)
        pairs = raw[:-1].astype(np.uint16) | (raw[1:].astype(np.uint16) << 8)
        hits = np.flatnonzero(self._tables[0][pairs[:size]])
        for step in range(1, _KEY // 2):
            hits = hits[self._tables[step][pairs[hits + 2 * step]]]
        return [int(hit) for hit in hits]


def _counts(needle: Needle, data: bytes, place: int) -> bool:
    """Whether a handle stands by itself; other needles always do."""
    if needle.kind not in {"handle", "anchor"}:
        return True
    end = place + len(needle.text)
    before = data[place - 1 : place] if place else b""
    return not _IN_HANDLE.match(before) and not _AFTER_HANDLE.match(data, end)
