"""A few changed files over a tree: what staging, the index and the working directory have in common."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Generic, TypeVar

from gitmem.ids import Oid
from gitmem.store.snapshot import path_order
from gitmem.store.tree import Change, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Archive, Topic
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree

REGULAR = 0o100644


def blob_id(data: bytes) -> Oid:
    """The id git gives these bytes as a blob."""
    return Oid(hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest())


B = TypeVar("B", bound="Tree", covariant=True)  # noqa: PLC0105 - one letter


class Overlay(Generic[B]):
    """Implements ``Tree``: the base's files but for those laid over it; ``None`` stands for a deleted file."""

    def __init__(self, repo: Repo, base: B) -> None:
        """Lay nothing yet; ``repo`` remembers what is parsed."""
        self.repo = repo
        self.base = base
        self._files: dict[str, bytes | None] = {}
        self._entries: dict[str, Entry | None] = {}
        self._children: dict[str, set[str]] = {}
        self._filled: Counter[str] = Counter()  # folder -> laid files below it, deleted ones not counted

    def lay(self, path: str, data: bytes | None, mode: int = REGULAR, oid: Oid | None = None) -> None:
        """Lay bytes (``None``: nothing) over the path; ``oid`` spares computing their id."""
        change = (data is not None) - (self._files.get(path) is not None)
        for parent, name in _ancestry(path):
            self._children.setdefault(parent, set()).add(name)
            self._filled[parent] += change
        self._files[path] = data
        self._entries[path] = None if data is None else Entry(path, oid or blob_id(data), mode)

    @property
    def laid(self) -> tuple[str, ...]:
        """The paths laid over the base, in git's order; some may hold what the base holds."""
        return tuple(sorted(self._files, key=path_order))

    def entry(self, path: str) -> Entry | None:
        """The file at the path; ``None`` when absent or a folder."""
        return self._entries[path] if path in self._entries else self.base.entry(path)

    def read(self, path: str) -> bytes | None:
        """The file's bytes; ``None`` when absent."""
        return self._files[path] if path in self._files else self.base.read(path)

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Every file at or below the prefix, in git's order."""
        laid = {path: entry for path, entry in self._entries.items() if _below(path, prefix)}
        if not laid:
            return self.base.entries(prefix)
        under = [entry for entry in self.base.entries(prefix) if entry.path not in laid]
        above = [entry for entry in laid.values() if entry is not None]
        return iter(sorted(under + above, key=lambda entry: path_order(entry.path)))

    def names(self, folder: str) -> tuple[str, ...]:
        """The names directly in a folder (``""``: the root), files and folders."""
        touched = self._children.get(folder, set())
        kept = set(self.base.names(folder)) - touched
        prefix = f"{folder}/" if folder else ""
        return tuple(sorted(kept | {name for name in touched if self._stands(prefix + name)}, key=path_order))

    def _stands(self, path: str) -> bool:
        return self.entry(path) is not None or bool(self._filled[path]) or next(self.entries(path), None) is not None

    def topic(self, path: str) -> Topic | None:
        """The parsed topic; ``None`` when absent."""
        if path not in self._entries:
            return self.base.topic(path)
        entry, data = self._entries[path], self._files[path]
        return None if entry is None or data is None else self.repo.memo.topic(path, entry.oid, lambda: data)

    def archive(self, path: str) -> Archive | None:
        """The scanned archive; ``None`` when absent. One that grew is scanned from where the base's ends."""
        if path not in self._entries:
            return self.base.archive(path)
        entry, data = self._entries[path], self._files[path]
        if entry is None or data is None:
            return None
        scanned = self.repo.memo.archives.peek((entry.oid, path))
        if scanned is not None:
            return scanned
        before = self.base.read(path)
        known = self.base.archive(path) if before is not None and data.startswith(before) else None
        return self.repo.memo.archive(path, entry.oid, lambda: data, known)

    def changes(self, parent: Tree) -> tuple[Change, ...]:
        """Paths that differ from the parent's, sorted as git sorts them."""
        if isinstance(parent, Overlay) and parent.base is self.base:
            below = set(parent.laid)
        else:
            below = set() if parent is self.base else {change.path for change in self.base.changes(parent)}
        found = []
        for path in sorted(below | self._entries.keys(), key=path_order):
            old, new = parent.entry(path), self.entry(path)
            if old != new:
                found.append(Change(path, old, new))
        return tuple(found)


def _ancestry(path: str) -> Iterator[tuple[str, str]]:
    """Each folder above the path, the root ``""`` included, with the name in it that leads to the path."""
    parts = path.split("/")
    return (("/".join(parts[:depth]), parts[depth]) for depth in range(len(parts)))


def _below(path: str, prefix: str) -> bool:
    return not prefix or path == prefix or path.startswith(f"{prefix}/")
