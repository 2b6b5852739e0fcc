"""A document: the bytes of one file, wherever it lies, as UTF-8 (``cli.md``, Inputs).

Readers of formats get documents, not paths, so that none of them knows of zips, folders or byte order marks.
"""

from __future__ import annotations

import codecs
import io
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, cast

from gitmem.interop.reading import Place, file_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

SAMPLE_BYTES = 256 * 1024
"""How much of a document a format may look at to know its own."""

_CHUNK = 64 * 1024
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True, eq=False)
class Document:
    """One file of what the caller named: the file itself, or a member of a zip or a folder.

    ``label`` names it in reports. ``name`` is the file's name, or the member's with ``/`` between its folders.
    ``is_member`` says that the caller named a zip or a folder, and ``beside`` then holds every document of it, this one
    among them, by name: for a format that is spread over several files, whose reader opens the others through it.
    ``size`` is how many bytes it has, as far as what it lies in says.
    """

    label: str
    name: str
    opener: Callable[[], BinaryIO] = field(repr=False)
    beside: Mapping[str, Document] = field(default_factory=dict, repr=False)
    is_member: bool = False
    size: int = 0

    @classmethod
    def of(cls, path: Path) -> Document:
        """A plain file. Raises ``OSError``."""
        size = path.stat().st_size
        return cls(file_name(path), file_name(Path(path.name)), lambda: path.open("rb"), size=size)

    @property
    def stem(self) -> str:
        """The last part of the name without its ending."""
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        """The ending of the name in small letters, with its dot."""
        return PurePosixPath(self.name).suffix.lower()

    def open(self) -> BinaryIO:
        """Open the bytes, to be closed by the caller: UTF-8 without a byte order mark; UTF-16 that says so is turned.

        Other encodings come as they are. Opening and reading raise ``OSError``, also for a damaged or locked zip.
        """
        raw = self.opener()
        with ExitStack() as failed:
            failed.callback(raw.close)
            start = raw.read(len(codecs.BOM_UTF8))
            failed.pop_all()
        if encoding := _UTF16.get(start[:2]):
            decoder = codecs.getincrementaldecoder(encoding)("replace")
            return io.BufferedReader(_Stream(raw, start[2:], decoder), _CHUNK)
        return io.BufferedReader(_Stream(raw, start.removeprefix(codecs.BOM_UTF8)), _CHUNK)

    def place(self, line: int | None = None, item: str | None = None) -> Place:
        """Say where something stands in this document."""
        return Place(self.label, line, item)

    def sample(self) -> Sample:
        """Give what formats judge by. Raises ``OSError``."""
        with self.open() as stream:
            return Sample(self.name, stream.read(SAMPLE_BYTES), self.beside.keys(), is_member=self.is_member)


@dataclass(frozen=True, slots=True)
class Sample:
    """What a format judges by: the name, the first ``SAMPLE_BYTES`` as UTF-8, and the names of what lies beside it.

    ``is_member`` says that the caller named a zip or a folder, in which other things lie too: judge strictly.
    """

    name: str
    head: bytes
    beside: Collection[str] = ()
    is_member: bool = False

    @property
    def suffix(self) -> str:
        """As of a document."""
        return PurePosixPath(self.name).suffix.lower()


class _Stream(io.RawIOBase):
    """What was read already, then the rest; turned into UTF-8 when there is a decoder."""

    def __init__(self, raw: BinaryIO, start: bytes, decoder: codecs.IncrementalDecoder | None = None) -> None:
        self._raw = raw
        self._decoder = decoder
        self._ready = start if decoder is None else decoder.decode(start).encode()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer)).cast("B")
        more = True
        while more and not self._ready:
            chunk = self._raw.read(_CHUNK)
            more = bool(chunk)
            self._ready = chunk if self._decoder is None else self._decoder.decode(chunk, final=not more).encode()
        size = min(len(view), len(self._ready))
        view[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def close(self) -> None:
        self._raw.close()
        super().close()
