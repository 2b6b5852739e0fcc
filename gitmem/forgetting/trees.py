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
Pair = tuple[Oid, Oid]
Before = tuple[Item | None, Item | None]
UNBORN: Pair = (EMPTY_TREE, EMPTY_TREE)
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
        self._folders: dict[tuple[str, Oid, Dead], Oid] = {}
        self._blobs: dict[tuple[str, Oid, Dead], Oid | None] = {}
        self._sums: dict[tuple[str, Oid], tuple[Dead, Dead]] = {}

    def root(self, oid: Oid, before: Pair = UNBORN) -> Oid:
        """The new root tree; the same id where nothing in it changes.

        ``before`` is the tree of the first parent, as it was and as it is now. A view that a commit leaves alone shows
        an earlier memory, so that it is what it is there.
        """
        if oid == before[0]:
            return before[1]
        dead, was, now = self.dead(oid), self._named(before[0]), self._named(before[1])
        left, changed = list[Item](), False
        for item in self._items(oid):
            if item.mode == TREE_MODE and item.name in _FOLDERS:
                new = self._root_folder(item, dead, (was.get(item.name), now.get(item.name)))
            elif item.name in _VIEWS:
                new = self._view(_VIEWS[item.name], item, dead, (was.get(item.name), now.get(item.name)))
            else:
                new = item
            changed = changed or new != item
            left += [] if new is None else [new]
        return self._written(left) if changed else oid

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

    def _named(self, oid: Oid) -> dict[bytes, Item]:
        return {item.name: item for item in self._items(oid)}

    def _root_folder(self, item: Item, dead: Dead, before: Before) -> Item | None:
        path, old = _FOLDERS[item.name], Oid(item.oid.hex())
        if path == TIMELINE:
            return self._shown(path, item, dead, before)
        return _replaced(item, self._folder(path, old, dead))

    def _shown(self, path: str, item: Item, dead: Dead, before: Before) -> Item | None:
        """A folder of views: what the commit left alone is what it is in its parent."""
        was, now = before
        if item == was:
            return now
        if item.mode != TREE_MODE:
            return self._view(path, item, dead, before)
        old = Oid(item.oid.hex())
        earlier = {} if was is None or was.mode != TREE_MODE else self._named(Oid(was.oid.hex()))
        present = {} if now is None or now.mode != TREE_MODE else self._named(Oid(now.oid.hex()))
        pairs = [
            (i, self._shown(_below(path, i), i, dead, (earlier.get(i.name), present.get(i.name))))
            for i in self._items(old)
        ]
        if all(new == entry for entry, new in pairs):
            return item
        return _replaced(item, self._written([new for _, new in pairs if new is not None]))

    def _view(self, path: str, item: Item, dead: Dead, before: Before) -> Item | None:
        if item == before[0]:
            return before[1]
        old = Oid(item.oid.hex())
        if path.startswith(f"{TIMELINE}/") and not dead and item.oid not in self._marked:
            return item
        return _replaced(item, self.blob(path, old, dead))

    def _folder(self, path: str, oid: Oid, dead: Dead) -> Oid:
        relevant = dead & self._sum(path, oid)[1] if dead else _NONE
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
            return _replaced(item, self._folder(_below(folder, item), old, dead))
        if item.oid not in self._marked and not (dead and item.oid in self._linking):
            return item
        path, old = _below(folder, item), Oid(item.oid.hex())
        return _replaced(item, self.blob(path, old, dead & self._files.links.get((path, old), _NONE)))

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


def _replaced(item: Item, new: Oid | None) -> Item | None:
    """The entry with another object; ``None`` when the file goes, or the folder is empty."""
    return None if new is None or new == EMPTY_TREE else item._replace(oid=bytes.fromhex(new))


def _below(folder: str, item: Item) -> str:
    return f"{folder}/{item.name.decode('utf-8', 'surrogateescape')}"
