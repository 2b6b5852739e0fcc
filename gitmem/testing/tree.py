"""A ``Tree`` in memory: the workspace's files as a mapping."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from gitmem.format.frame import scan_v2
from gitmem.format.layout import is_v2_archive
from gitmem.format.legacy import scan_legacy
from gitmem.format.topic import parse_topic
from gitmem.ids import Oid, TopicPath
from gitmem.store.tree import Change, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.format.model import Archive, Topic
    from gitmem.store.tree import Tree

REGULAR_FILE = 0o100644


class MemoryTree:
    """Files by path; every file is a regular one and has git's blob id."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Take the files as they are; the mapping is copied."""
        self.files = {path: files[path] for path in sorted(files)}
        self._entries = {path: Entry(path, blob_id(data), REGULAR_FILE) for path, data in self.files.items()}

    def entry(self, path: str) -> Entry | None:
        """The file at the path."""
        return self._entries.get(path)

    def read(self, path: str) -> bytes | None:
        """The file's bytes."""
        return self.files.get(path)

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Every file at or below the prefix."""
        below = f"{prefix}/" if prefix else ""
        return (entry for path, entry in self._entries.items() if path == prefix or path.startswith(below))

    def names(self, folder: str) -> tuple[str, ...]:
        """The names directly in a folder."""
        below = f"{folder}/" if folder else ""
        inside = (path[len(below) :].partition("/")[0] for path in self.files if path.startswith(below))
        return tuple(dict.fromkeys(inside))

    def topic(self, path: str) -> Topic | None:
        """The parsed topic."""
        data = self.files.get(path)
        return None if data is None else parse_topic(TopicPath(path), data.decode("utf-8", "replace"))

    def archive(self, path: str) -> Archive | None:
        """The scanned archive."""
        data = self.files.get(path)
        if data is None:
            return None
        return scan_v2(path, data) if is_v2_archive(path) else scan_legacy(path, data)

    def changes(self, parent: Tree) -> tuple[Change, ...]:
        """Paths that differ from the parent's."""
        before = {entry.path: entry for entry in parent.entries()}
        paths = sorted(before.keys() | self._entries.keys())
        pairs = ((path, before.get(path), self._entries.get(path)) for path in paths)
        return tuple(Change(path, old, new) for path, old, new in pairs if old != new)


def blob_id(data: bytes) -> Oid:
    """The id that git gives a file's bytes."""
    return Oid(hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest())
