"""The tree ids that an index file caches, so that `git status` need not walk what did not change."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.ids import Oid
from gitmem.store.snapshot import EMPTY_TREE, FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.store.snapshot import Snapshot

_UNKNOWN = -1
_ID_LENGTH = 20


@dataclass(slots=True)
class _Folder:
    """What is cached for a folder: how many files it holds at any depth (-1: not known) and its tree's id."""

    count: int = _UNKNOWN
    oid: Oid = EMPTY_TREE
    folders: dict[bytes, _Folder | bytes] = field(default_factory=dict)
    """By name; those that nobody asked for stay as they were written."""

    def folder(self, name: bytes) -> _Folder | None:
        """What is cached for the folder of this name."""
        found = self.folders.get(name)
        if isinstance(found, bytes):
            found = self.folders[name] = _parse(found)
        return found


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
        return cls(_parse(data))

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


def _parse(data: bytes) -> _Folder:
    """Take one folder apart; those in it are only told apart."""
    node, folders, position = _head(data, data.index(0))
    for _ in range(folders):
        end = _end(data, position)
        name_end = data.index(0, position)
        node.folders[data[position:name_end]] = data[position:end]
        position = end
    return node


def _head(data: bytes, name_end: int) -> tuple[_Folder, int, int]:
    """A folder without those in it, their number, and where the first of them starts."""
    line = data.index(b"\n", name_end)
    count, folders = data[name_end + 1 : line].split(b" ")
    if int(count) == _UNKNOWN:
        return _Folder(), int(folders), line + 1
    end = line + 1 + _ID_LENGTH
    return _Folder(int(count), Oid(data[line + 1 : end].hex())), int(folders), end


def _end(data: bytes, position: int) -> int:
    """Where a folder with all below it ends."""
    left = 1
    while left:
        line = data.index(10, data.index(0, position))
        count, _, folders = data[data.index(0, position) + 1 : line].partition(b" ")
        position = line + 1 + (0 if count.startswith(b"-") else _ID_LENGTH)
        left += int(folders) - 1
    return position


def _written(name: bytes, node: _Folder) -> Iterator[bytes]:
    yield b"%s\0%d %d\n" % (name, node.count, len(node.folders))
    if node.count != _UNKNOWN:
        yield bytes.fromhex(node.oid)
    for child in sorted(node.folders, key=lambda child: (len(child), child)):
        below = node.folders[child]
        if isinstance(below, bytes):
            yield below
        else:
            yield from _written(child, below)
