"""The tree ids that an index file caches, so that `git status` need not walk what did not change."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.ids import Oid
from gitmem.store.snapshot import EMPTY_TREE, FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.store.snapshot import Snapshot

_UNKNOWN = -1
_HEAD = re.compile(
    rb"(?P<name>[^\0]*)\0(?:-1 |(?=\d)(?P<count>\d+) )(?P<folders>\d+)\n(?(count)(?P<oid>.{20}))", re.DOTALL
)
"""A folder without those in it; one whose count is not known has no id."""


@dataclass(slots=True)
class _Folder:
    """What is cached for a folder: how many files it holds at any depth (-1: not known) and its tree's id."""

    count: int = _UNKNOWN
    oid: Oid = EMPTY_TREE
    folders: dict[bytes, _Folder | _Written] = field(default_factory=dict)
    """By name; those that nobody asked for stay as they were written."""

    def folder(self, name: bytes) -> _Folder | None:
        """What is cached for the folder of this name."""
        found = self.folders.get(name)
        if isinstance(found, _Written):
            found = self.folders[name] = found.taken_apart()
        return found


class _Extension:
    """The extension's bytes, in which each folder is followed by those in it; ``sizes`` counts a folder with them."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.heads = list(_HEAD.finditer(data))
        self.sizes = [1] * len(self.heads)
        waiting: list[int] = []
        for place in range(len(self.heads) - 1, -1, -1):
            for _ in range(int(self.heads[place]["folders"])):
                self.sizes[place] += waiting.pop()
            waiting.append(self.sizes[place])


@dataclass(frozen=True, slots=True)
class _Written:
    """A folder that stands at a place of the extension, not taken apart."""

    extension: _Extension
    place: int

    def taken_apart(self) -> _Folder:
        head = self.extension.heads[self.place]
        node = _Folder() if head["oid"] is None else _Folder(int(head["count"]), Oid(head["oid"].hex()))
        place = self.place + 1
        for _ in range(int(head["folders"])):
            below = _Written(self.extension, place)
            node.folders[self.extension.heads[place]["name"]] = below
            place += self.extension.sizes[place]
        return node

    def written(self) -> bytes:
        last = self.place + self.extension.sizes[self.place] - 1
        return self.extension.data[self.extension.heads[self.place].start() : self.extension.heads[last].end()]


class TreeCache:
    """The ``TREE`` extension; an empty one says nothing and is left out of the file."""

    def __init__(self, root: _Folder) -> None:
        """Take what is known of the root folder."""
        self._root = root

    @classmethod
    def read(cls, data: bytes | None, *, empty: bool) -> TreeCache:
        """Take the extension apart; without one, an index without entries is known to be the empty tree."""
        if not data:
            return cls(_Folder(0) if empty else _Folder())
        return cls(_Written(_Extension(data), 0).taken_apart())

    def follow(self, paths: set[str], move: tuple[Snapshot, Snapshot] | None) -> None:
        """Follow a change of these paths from one tree to another, forgetting what is not known to follow."""
        if move is None or self._root.count == _UNKNOWN or self._root.oid != move[0].tree:
            for path in paths:
                self._forget(path)
            return
        old, new = move
        for path in paths:
            self._count(path, (new.entry(path) is not None) - (old.entry(path) is not None), old)
        self._refresh(self._root, "", new)

    def _forget(self, path: str) -> None:
        node: _Folder | None = self._root
        for part in path.split("/"):
            if node is None:
                return
            node.count = _UNKNOWN
            node = node.folder(os.fsencode(part))

    def _count(self, path: str, added: int, old: Snapshot) -> None:
        """Count a file in or out in every folder above it."""
        node = self._root
        node.count += added
        for folder in _folders(path):
            name = os.fsencode(folder.rpartition("/")[2])
            below = node.folder(name)
            if below is None:  # a new folder, or one that git did not cache
                below = node.folders[name] = _Folder(0 if old.node(folder) is None else _UNKNOWN)
            node = below
            node.count = node.count + added if node.count != _UNKNOWN else _UNKNOWN

    def _refresh(self, node: _Folder, path: str, new: Snapshot) -> None:
        """Give the folder, and those below it that changed, the ids they have in the new tree."""
        found = new.node(path)
        node.oid = found[0] if found is not None else EMPTY_TREE
        for name in [name for name, below in node.folders.items() if isinstance(below, _Folder)]:
            below, place = node.folder(name), f"{path}/{os.fsdecode(name)}" if path else os.fsdecode(name)
            found = new.node(place)
            if found is None or found[1] != FOLDER:
                del node.folders[name]
            elif below is not None:
                self._refresh(below, place, new)

    def written(self) -> bytes:
        """The extension with its name and length; nothing when nothing is known."""
        if self._root.count == _UNKNOWN and not self._root.folders:
            return b""
        body = b"".join(_written(b"", self._root))
        return b"TREE" + len(body).to_bytes(4, "big") + body


def _folders(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))


def _written(name: bytes, node: _Folder) -> Iterator[bytes]:
    yield b"%s\0%d %d\n" % (name, node.count, len(node.folders))
    if node.count != _UNKNOWN:
        yield bytes.fromhex(node.oid)
    for child in sorted(node.folders, key=lambda child: (len(child), child)):
        below = node.folders[child]
        if isinstance(below, _Written):
            yield below.written()
        else:
            yield from _written(child, below)
