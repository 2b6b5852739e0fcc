"""A workspace's files in memory: a staging area without a repository, for tests of edits, checks, views and facts."""

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


class MemoryTree:
    """Implements ``gitmem.edit.base.StagingArea`` with a dictionary."""

    def __init__(self, files: Mapping[str, bytes | str] | None = None) -> None:
        self.files = {path: data.encode() if isinstance(data, str) else data for path, data in (files or {}).items()}

    def copy(self) -> MemoryTree:
        return MemoryTree(self.files)

    def text(self, path: str) -> str:
        return self.files[path].decode()

    def entry(self, path: str) -> Entry | None:
        data = self.files.get(path)
        if data is None:
            return None
        oid = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        return Entry(path, Oid(oid), 0o100644)

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        for path in sorted(self.files, key=str.encode):
            if not prefix or path == prefix or path.startswith(f"{prefix}/"):
                entry = self.entry(path)
                assert entry is not None
                yield entry

    def names(self, folder: str) -> tuple[str, ...]:
        prefix = f"{folder}/" if folder else ""
        below = (path.removeprefix(prefix) for path in self.files if path.startswith(prefix))
        return tuple(sorted({path.partition("/")[0] for path in below}))

    def topic(self, path: str) -> Topic | None:
        data = self.files.get(path)
        return None if data is None else parse_topic(TopicPath(path), data.decode("utf-8", "replace"))

    def archive(self, path: str) -> Archive | None:
        data = self.files.get(path)
        if data is None:
            return None
        return scan_v2(path, data) if is_v2_archive(path) else scan_legacy(path, data)

    def changes(self, parent: Tree) -> tuple[Change, ...]:
        paths = {entry.path for tree in (self, parent) for entry in tree.entries()}
        pairs = [(path, parent.entry(path), self.entry(path)) for path in sorted(paths, key=str.encode)]
        return tuple(Change(path, old, new) for path, old, new in pairs if old != new)

    def write(self, path: str, data: bytes) -> None:
        self.files[path] = data

    def delete(self, path: str) -> None:
        self.files.pop(path, None)
