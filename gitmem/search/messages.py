"""The words of archived messages, read from the archives that hold them (``behaviours.md`` 16.11)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.format.frame import UNDATED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.format.model import Record
    from gitmem.store.tree import Tree

LF = b"\n"
_METADATA = re.compile(rb"^<!-- source-meta:[^\n]*\n", re.MULTILINE)


class Messages:
    """Reads each archive once, however many of its messages are asked for."""

    def __init__(self, tree: Tree) -> None:
        """Read from this state of the memory."""
        self._tree = tree
        self._files: dict[str, bytes] = {}

    def file(self, path: str) -> bytes:
        """The bytes of an archive; none when it is absent."""
        if path not in self._files:
            self._files[path] = self._tree.read(path) or b""
        return self._files[path]

    def body(self, record: Record) -> str:
        """What was said, without header and comments."""
        return _text(self.file(record.path)[record.body_start : record.body_end])

    def text(self, record: Record) -> str:
        """The message as archived: ``[time] label: body``, without the comments that frame it."""
        data = self.file(record.path)
        return _text(data[header_start(data, record) : record.body_end])


def header_start(data: bytes, record: Record) -> int:
    """Where the record's first line starts, in bytes: a header is one line."""
    return data.rfind(LF, 0, record.body_start) + 1


def framed_text(data: bytes, records: Iterable[Record]) -> str:
    """An archive as it is shown: everything but the metadata comments of its frames (16.11)."""
    parts: list[bytes] = []
    shown = 0
    for record in records:
        comments = data[record.start : header_start(data, record)]
        for found in _METADATA.finditer(comments):
            parts.append(data[shown : record.start + found.start()])
            shown = record.start + found.end()
    return _text(b"".join((*parts, data[shown:])))


def when_of(record: Record) -> str | None:
    """When it was said, as archived; ``None`` for an undated message."""
    return None if record.timestamp == UNDATED else record.timestamp


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
