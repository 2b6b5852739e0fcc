"""Where the entries of an index file stand, found without walking over all of them (git's ``index-format``).

An entry has a fixed head, its name and NULs up to a multiple of 8 bytes, so the next one can only start at every eighth
byte; a start is told by what must stand there and at the start of the following entry. The names are sorted, and so a
few looks at the middle of what is left find any of them.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = struct.Struct(">4sII")
HASH_LENGTH = 20
NAME_MASK, STAGE_MASK, EXTENDED = 0x0FFF, 0x3000, 0x4000
PLAIN, WITH_FLAGS, COMPRESSED = 2, 3, 4

_MODE, _FLAGS, _NAME = 24, 60, 62
_ORDINARY = (0o100644).to_bytes(4, "big")
_MODES = frozenset({_ORDINARY, *(mode.to_bytes(4, "big") for mode in (0o100755, 0o120000, 0o160000))})
_NEAR = 4096
"""In so few bytes it is quicker to walk."""


class Entries:
    """The entries between the header and the extensions of a file of version 2 or 3."""

    def __init__(self, data: bytes, version: int, count: int) -> None:
        """Find where they end. Raises ``IndexError`` or ``ValueError`` for a damaged file."""
        self.data, self.count = data, count
        self._plain = version == PLAIN
        self.end = (_cached_trees(data) if self._plain else None) or len(data)
        if not (self._plain and count and self._last_ends_at(self.end)):
            self.end = self._walked_end()

    def name(self, offset: int) -> bytes:
        """The name of the entry that starts there."""
        flags = self._flags(offset)
        start = offset + (_NAME + 2 if flags & EXTENDED else _NAME)
        length = flags & NAME_MASK
        return self.data[start : start + length if length < NAME_MASK else self.data.index(0, start)]

    def after(self, offset: int) -> int:
        """Where the entry that starts there ends."""
        flags = self._flags(offset)
        start = offset + (_NAME + 2 if flags & EXTENDED else _NAME)
        length = flags & NAME_MASK
        if length == NAME_MASK:
            length = self.data.index(0, start) - start
        return offset + ((start - offset + length + 8) & ~7)

    def find(self, name: bytes) -> int:
        """Where the first entry starts whose name is not before this one; the end when there is none."""
        low, high = HEADER.size, self.end
        while self._plain and high - low > _NEAR:
            middle = self._start_from(low + (high - low) // 2, high)
            if middle is None or self.name(middle) >= name:
                high = low + (high - low) // 2
            else:
                low = middle
        while low < self.end and self.name(low) < name:
            low = self.after(low)
        return low

    def __iter__(self) -> Iterator[int]:
        """Where each entry starts, in order."""
        offset = HEADER.size
        for _ in range(self.count):
            yield offset
            offset = self.after(offset)

    def _flags(self, offset: int) -> int:
        return self.data[offset + _FLAGS] << 8 | self.data[offset + _FLAGS + 1]

    def _walked_end(self) -> int:
        offset = HEADER.size
        for _ in range(self.count):
            offset = self.after(offset)
        return offset

    def _last_ends_at(self, end: int) -> bool:
        """Whether a chain of entries leads there, and so neither another extension nor a cut comes before."""
        position = self._start_from(max(HEADER.size, end - _NEAR), end)
        while position is not None and position < end and self._starts(position):
            position = self.after(position)
        return position == end

    def _start_from(self, position: int, limit: int) -> int | None:
        """The first start of an ordinary file's entry at or after a position, before the limit."""
        mode = self.data.find(_ORDINARY, position + _MODE, limit + _MODE)
        while mode >= 0:
            offset = mode - _MODE
            if (offset - HEADER.size) % 8 == 0 and self._starts(offset):
                following = self.after(offset)
                if following == self.end or (following < self.end and self._starts(following)):
                    return offset
            mode = self.data.find(_ORDINARY, mode + 1, limit + _MODE)
        return None

    def _starts(self, offset: int) -> bool:
        """Whether an entry of no conflict and without further flags may start there."""
        if self.data[offset + _MODE : offset + _MODE + 4] not in _MODES:
            return False
        flags = self._flags(offset)
        if flags & (STAGE_MASK | EXTENDED):
            return False
        length = flags & NAME_MASK
        found = self.data.find(0, offset + _NAME, self.end)
        return found - offset - _NAME == length if length < NAME_MASK else found - offset - _NAME >= NAME_MASK


def _cached_trees(data: bytes) -> int | None:
    """Where the cached trees stand, which usually follow the entries at once; ``None``: nowhere."""
    position = data.rfind(b"TREE")
    while position > HEADER.size:
        if (position - HEADER.size) % 8 == 0 and _reaches_the_end(data, position):
            return position
        position = data.rfind(b"TREE", 0, position)
    return None


def _reaches_the_end(data: bytes, position: int) -> bool:
    while position + 8 <= len(data):
        if not data[position : position + 4].isalnum():
            return False
        position += 8 + int.from_bytes(data[position + 4 : position + 8], "big")
    return position == len(data)


def extensions(data: bytes, position: int) -> Iterator[tuple[bytes, bytes]]:
    """The extensions that start there, by name."""
    while position + 8 <= len(data):
        name, length = data[position : position + 4], int.from_bytes(data[position + 4 : position + 8], "big")
        yield name, data[position + 8 : position + 8 + length]
        position += 8 + length


def expanded(data: bytes, count: int) -> tuple[bytes, int]:
    """Version 4, where a name is given as a change of the one before, as version 2 or 3; and which of the two."""
    body, position, name, extended = bytearray(HEADER.size), HEADER.size, b"", False
    for _ in range(count):
        flagged = bool(data[position + _FLAGS] & EXTENDED >> 8)
        extended = extended or flagged
        start = position + (_NAME + 2 if flagged else _NAME)
        fixed = data[position:start]
        strip, start = _varint(data, start)
        end = data.index(0, start)
        name = name[: len(name) - strip] + data[start:end]
        record = fixed + name
        body += record + bytes(8 - len(record) % 8)
        position = end + 1
    version = WITH_FLAGS if extended else PLAIN
    HEADER.pack_into(body, 0, b"DIRC", version, count)
    return bytes(body) + data[position:], version


def _varint(data: bytes, position: int) -> tuple[int, int]:
    byte = data[position]
    value = byte & 0x7F
    while byte & 0x80:
        position += 1
        byte = data[position]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, position + 1
