"""How far reading has come, for whoever wants to show it: bytes of all that will be read."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from collections.abc import Callable


class Meter:
    """Counts the bytes that are read, and tells: bytes so far, bytes in all, and the document being read.

    Documents are often read more than once, so ``total`` is more than their size. Nothing is told before ``begin``.
    """

    def __init__(self, tell: Callable[[int, int, str], None] | None) -> None:
        """Without ``tell`` nothing is counted, and reading costs nothing more."""
        self._tell = tell
        self._total: int | None = None
        self._done = 0

    def begin(self, total: int) -> None:
        """Say how many bytes will be read from now on."""
        self._total = total
        self._done = 0

    def finish(self) -> None:
        """Say that everything was read; of broken documents less is."""
        if self._total is not None:
            self._count(self._total, "")

    def counted(self, raw: BinaryIO, label: str) -> BinaryIO:
        """Give the same bytes, counted as they are read."""
        return raw if self._tell is None else cast("BinaryIO", _Counted(raw, label, self._count))

    def _count(self, size: int, label: str) -> None:
        if self._tell is not None and self._total is not None:
            self._done = min(self._done + size, self._total)
            self._tell(self._done, self._total, label)


UNSEEN = Meter(None)
"""The meter that nobody looks at."""


class _Counted(io.RawIOBase):
    """Bytes of another stream, which is closed with this one."""

    def __init__(self, raw: BinaryIO, label: str, count: Callable[[int, str], None]) -> None:
        self._raw, self._label, self._counts = raw, label, count

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer)).cast("B")
        chunk = self._raw.read(len(view))
        view[: len(chunk)] = chunk
        self._counts(len(chunk), self._label)
        return len(chunk)

    def close(self) -> None:
        self._raw.close()
        super().close()
