"""Objects as git keeps them loose; of a file that only grows, no more is compressed than what is new.

A long conversation's archive is appended to again and again, and every version of it is an object. Its stream is made
of pieces that know nothing of each other, as one zlib stream may be, so that those of the version before serve anew.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 1
"""Fast: objects stay loose only until the next packing, which compresses anew."""

PIECE = 128 << 10
"""Bytes of a piece. What stands in two pieces is not compressed together, at one part in four hundred more."""

IN_PIECES = 2 * PIECE
"""Bytes from which on a file is compressed in pieces."""

MOST_KEPT = 32 << 20
"""Bytes of the longest file whose pieces are kept."""

_STREAM = b"\x78\x01"
"""How a zlib stream of the fastest levels begins (RFC 1950)."""
_RAW = -zlib.MAX_WBITS


class Deflater:
    """Compresses objects, and remembers the last long one. Threads may share it: at worst one compresses in vain."""

    def __init__(self) -> None:
        """Remember nothing."""
        self._last: tuple[bytes, Sequence[bytes]] = (b"", ())

    def loose(self, kind: bytes, data: bytes) -> bytes:
        """The bytes of the file that keeps an object of this kind (``blob``, ``tree``, ...)."""
        header = b"%s %d\0" % (kind, len(data))
        if kind != b"blob" or len(data) < IN_PIECES:
            return zlib.compress(header + data, LEVEL)
        pieces = self._pieces(data)
        end = PIECE * (1 + len(pieces))
        checksum = zlib.adler32(data, zlib.adler32(header))
        first, last = _piece(header + data[:PIECE]), _piece(data[end:], zlib.Z_FINISH)
        return b"".join((_STREAM, first, *pieces, last, checksum.to_bytes(4, "big")))

    def _pieces(self, data: bytes) -> Sequence[bytes]:
        """All whole pieces but the first, which holds the length of everything."""
        before, known = self._last
        pieces = list(known) if before and data.startswith(before) else []
        for start in range(PIECE * (1 + len(pieces)), len(data) - PIECE + 1, PIECE):
            pieces.append(_piece(data[start : start + PIECE]))
        if len(data) <= MOST_KEPT:
            self._last = data, tuple(pieces)
        return pieces


def _piece(data: bytes, end: int = zlib.Z_FULL_FLUSH) -> bytes:
    """A part of a stream that refers to nothing before it."""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW)
    return deflate.compress(data) + deflate.flush(end)
