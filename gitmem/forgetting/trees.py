"""Trees without what is erased, each made once: by its path, its id, and the dead blocks that it links to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.forgetting.views import ROOT_VIEWS
from gitmem.format.layout import SOURCES, TIMELINE, TOPICS
from gitmem.ids import BlockId, Oid
from gitmem.store.raw import TREE_MODE, Item, Kind, read_raw, tree_bytes, tree_items, write_raw
from gitmem.store.snapshot import EMPTY_TREE

if TYPE_CHECKING:
    from gitmem.forgetting.files import Files
    from gitmem.store.repository import Repo

Dead = frozenset[BlockId]
_FOLDERS = {name.encode(): name for name in (TOPICS, SOURCES, TIMELINE)}
_VIEWS = {name.encode(): name for name in ROOT_VIEWS}
_NONE: Dead = frozenset()


class Trees:
    """Makes new trees of old ones; ``repo`` takes the objects."""

    def __init__(self, repo: Repo, files: Files) -> None:
        """Make trees of what the survey found."""
        self._repo, self._files = repo, files
        self._marked = {bytes.fromhex(oid) for _, oid in files.marked}
        linking = (version for version, blocks in files.links.items() if not blocks.isdisjoint(files.suspects))
        self._linking = {bytes.fromhex(oid) for _, oid in linking}
        self._roots: dict[Oid, Oid] = {}
        self._folders: dict[tuple[str, Oid, Dead], Oid] = {}
        self._blobs: dict[tuple[str, Oid, Dead], Oid | None] = {}
        self._sums: dict[tuple[str, Oid], tuple[Dead, Dead]] = {}

    def root(self, oid: Oid) -> Oid:
        """The new root tree; the same id where nothing in it changes."""
        if oid not in self._roots:
            self._roots[oid] = self._root(oid)
        return self._roots[oid]

    def dead(self, root: Oid) -> Dead:
        """The blocks that a root tree loses."""
        topics = next((item for item in self._items(root) if item.name == b"topics" and item.mode == TREE_MODE), None)
        return _NONE if topics is None else self._sum(TOPICS, Oid(topics.oid.hex()))[0]

    def blob(self, path: str, oid: Oid, dead: Dead) -> Oid | None:
        """The new blob at a path; ``None``: the file goes."""
        key = (path, oid, dead)
        if key not in self._blobs:
            raw = read_raw(self._repo, oid)
            data = b"" if raw is None else raw.data
            new = self._files.rewritten(path, data, dead)
            same = raw is None or new == data
            self._blobs[key] = oid if same else None if new is None else write_raw(self._repo, Kind.BLOB, new)
        return self._blobs[key]

    def _items(self, oid: Oid) -> list[Item]:
        raw = None if oid == EMPTY_TREE else read_raw(self._repo, oid)
        return [] if raw is None else tree_items(raw.data)

    def _root(self, oid: Oid) -> Oid:
        items, dead, changed = self._items(oid), self.dead(oid), False
        left: list[Item] = []
        for item in items:
            old = Oid(item.oid.hex())
            new: Oid | None = old
            if item.mode == TREE_MODE and item.name in _FOLDERS:
                new = self._folder(_FOLDERS[item.name], old, dead)
            elif item.name in _VIEWS:
                new = self.blob(_VIEWS[item.name], old, dead)
            changed = changed or new != old
            if new is not None and (item.mode != TREE_MODE or new != EMPTY_TREE):
                left.append(item._replace(oid=bytes.fromhex(new)))
        return self._written(left) if changed else oid

    def _folder(self, path: str, oid: Oid, dead: Dead) -> Oid:
        relevant = dead if not dead or _is_shown(path) else dead & self._sum(path, oid)[1]
        key = (path, oid, relevant)
        if key not in self._folders:
            self._folders[key] = self._made(path, oid, dead)
        return self._folders[key]

    def _made(self, path: str, oid: Oid, dead: Dead) -> Oid:
        left: list[Item] = []
        changed = False
        for item in self._items(oid):
            new = self._entry(path, item, dead)
            changed = changed or new is not item
            if new is not None:
                left.append(new)
        return self._written(left) if changed else oid

    def _entry(self, folder: str, item: Item, dead: Dead) -> Item | None:
        if item.mode == TREE_MODE:
            old = Oid(item.oid.hex())
            tree = self._folder(_below(folder, item), old, dead)
            return item if tree == old else None if tree == EMPTY_TREE else item._replace(oid=bytes.fromhex(tree))
        if item.oid not in self._marked and not (dead and item.oid in self._linking):
            return item
        path, old = _below(folder, item), Oid(item.oid.hex())
        relevant = dead if _is_shown(folder) else dead & self._files.links.get((path, old), _NONE)
        blob = self.blob(path, old, relevant)
        return item if blob == old else None if blob is None else item._replace(oid=bytes.fromhex(blob))

    def _sum(self, path: str, oid: Oid) -> tuple[Dead, Dead]:
        """The blocks that the files of a folder lose, and the suspects that they link to."""
        key = (path, oid)
        if key not in self._sums:
            gone, linked = set[BlockId](), set[BlockId]()
            for item in self._items(oid):
                if item.mode == TREE_MODE:
                    below = self._sum(_below(path, item), Oid(item.oid.hex()))
                    gone |= below[0]
                    linked |= below[1]
                elif item.oid in self._marked or item.oid in self._linking:
                    version = (_below(path, item), Oid(item.oid.hex()))
                    gone |= self._files.gone.get(version, _NONE)
                    linked |= self._files.links.get(version, _NONE) & self._files.suspects
            self._sums[key] = (frozenset(gone), frozenset(linked))
        return self._sums[key]

    def _written(self, items: list[Item]) -> Oid:
        return write_raw(self._repo, Kind.TREE, tree_bytes(items))


def _is_shown(folder: str) -> bool:
    """Whether views stand there, which name dead blocks without linking to them."""
    return folder.split("/", 1)[0] == TIMELINE


def _below(folder: str, item: Item) -> str:
    return f"{folder}/{item.name.decode('utf-8', 'surrogateescape')}"
