"""What is to be erased, as digests of handles, and how to recognize it wherever it is named."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.format.layout import dialog_name, legacy_names, v2_names
from gitmem.format.promotions import handle_sha256
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from gitmem.format.model import Record, SourceLink

_ANCHOR = re.compile(r"source-([0-9a-f]{16})")
_LINKED = re.compile(rb"\.md#([^)\s]+)")
_FRAME = re.compile(rb'<a id="source-([0-9a-f]{16})"></a>')
_PLAIN_HANDLE = re.compile(rb"(?:Sources:|\),)[ \t]*(?![ \t\[])[^\n]")
_DIALOG_MARK = re.compile(r"d[0-9]+-([0-9]+)")


class Shared(StrEnum):
    """What becomes of prose that rests on erased and on other messages."""

    KEEP = "keep"
    REMOVE = "remove"


@lru_cache(maxsize=65536)
def digest(handle: str) -> str:
    """The SHA-256 of a handle, by which it is remembered as forgotten."""
    return handle_sha256(SourceId(handle))


@dataclass(frozen=True, slots=True)
class Erased:
    """The messages that are erased: SHA-256 hex digests of their handles, and what becomes of shared prose."""

    digests: frozenset[str]
    shared: Shared = Shared.KEEP
    _marks: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Anchors begin with the first 16 digits."""
        object.__setattr__(self, "_marks", frozenset(known[:16] for known in self.digests))

    def has(self, handle: str) -> bool:
        """Whether the message of that handle is erased."""
        return digest(handle) in self.digests

    def link(self, link: SourceLink) -> bool:
        """Whether a footnote's source is erased; ``link.resolved`` is ``None`` where a handle stands plainly."""
        return self.target(link.resolved) if link.resolved is not None else self.has(link.target)

    def record(self, record: Record) -> bool:
        """Whether an archived message is erased; a legacy one may be known by its anchor alone."""
        return self.has(record.handle) or self.target(record.target)

    def target(self, target: str) -> bool:
        """Whether a link of the form ``sources/….md#anchor`` reaches an erased message."""
        path, _, mark = target.partition("#")
        if found := _ANCHOR.fullmatch(mark):
            return found[1] in self._marks
        if dialog := dialog_name(path):
            number = _DIALOG_MARK.fullmatch(mark)
            return number is not None and self.has(f"{dialog}:{number[1]}")
        names = legacy_names(path) or v2_names(path)
        return names is not None and self.has("/".join((*names, mark)))

    def may_be_in_archive(self, data: bytes) -> bool:
        """Whether a v2 archive has a frame of an erased message; looks at anchors alone."""
        return not self._marks.isdisjoint(mark.decode() for mark in _FRAME.findall(data))

    def may_be_linked(self, data: bytes) -> bool:
        """Whether a text may link to an erased message, or name one in a footnote; no more than a guess."""
        for mark in _LINKED.findall(data):
            found = _ANCHOR.fullmatch(mark.decode("utf-8", "replace"))
            if found is None or found[1] in self._marks:
                return True
        return _PLAIN_HANDLE.search(data) is not None
