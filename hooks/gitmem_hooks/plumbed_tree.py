"""One state of the files, read through git's own programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Unavailable
from gitmem.format.frame import scan_v2
from gitmem.format.layout import is_v2_archive
from gitmem.format.topic import parse_topic
from gitmem.ids import Oid, TopicPath
from gitmem.store.tree import Change, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Archive, Topic
    from gitmem.store.tree import Tree
    from gitmem_hooks.plumbing import Plumbing

_FOLDER, _SUBMODULE, _ABSENT = 0o040000, 0o160000, 0


class PlumbedTree:
    """A tree of git's; implements ``Tree`` against others of its kind."""

    def __init__(self, git: Plumbing, tree: Oid) -> None:
        """Look at a tree; nothing is read yet."""
        self._git = git
        self.tree = tree
        self._known: dict[str, Entry | None] = {}

    def entry(self, path: str) -> Entry | None:
        """The file at the path; ``None`` when absent or a folder."""
        if path not in self._known:
            node = self._node(path)
            self._known[path] = None if node is None or node[1] == _FOLDER else Entry(path, *node)
        return self._known[path]

    def read(self, path: str) -> bytes | None:
        """The file's bytes; a submodule, whose commit is elsewhere, has none.

        Raises ``Unavailable`` (``STORAGE_UNAVAILABLE``) when the repository has lost them.
        """
        found = self.entry(path)
        return None if found is None else self._contents(found)

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Every file at or below the prefix, in git's order."""
        node = self._node(prefix)
        if node is None:
            return iter(())
        if node[1] != _FOLDER:
            return iter((Entry(prefix, *node),))
        return self._below(node[0], f"{prefix}/" if prefix else "")

    def names(self, folder: str) -> tuple[str, ...]:
        """The names directly in a folder."""
        node = self._node(folder)
        if node is None or node[1] != _FOLDER:
            return ()
        return tuple(name for name, _oid, _mode in self._git.children(node[0]))

    def topic(self, path: str) -> Topic | None:
        """The parsed topic."""
        found = self.entry(path)
        if found is None:
            return None
        known = self._git.topics
        if (path, found.oid) not in known:
            text = self._contents(found).decode("utf-8", "replace")
            known[path, found.oid] = parse_topic(TopicPath(path), text)
        return known[path, found.oid]

    def archive(self, path: str) -> Archive | None:
        """The scanned archive."""
        found = self.entry(path)
        if found is None:
            return None
        known = self._git.archives
        if (path, found.oid) not in known:
            known[path, found.oid] = _scanned(path, self._contents(found))
        return known[path, found.oid]

    def changes(self, parent: Tree) -> tuple[Change, ...]:
        """Paths that differ from the parent's. Raises ``TypeError`` for a parent of another kind."""
        if not isinstance(parent, PlumbedTree):
            raise TypeError(parent)
        options = ("-r", "-z", "--raw", "--no-renames", "--ignore-submodules=none")
        fields = iter(self._git.ask("diff-tree", *options, parent.tree, self.tree).split(b"\0")[:-1])
        found = [self._change(parent, told.decode(), next(fields)) for told in fields]
        return tuple(sorted(found, key=lambda change: change.path.encode("utf-8", "surrogateescape")))

    def _change(self, parent: PlumbedTree, told: str, name: bytes) -> Change:
        old_mode, new_mode, old, new, _status = told.removeprefix(":").split(" ")
        path = name.decode("utf-8", "surrogateescape")
        parent._known[path] = _entry(path, old, old_mode)
        self._known[path] = _entry(path, new, new_mode)
        return Change(path, parent._known[path], self._known[path])

    def _node(self, path: str) -> tuple[Oid, int] | None:
        """What stands at the path, step by step: a name may hold anything but a slash."""
        node = (self.tree, _FOLDER)
        for step in path.split("/") if path else ():
            if node[1] != _FOLDER:
                return None
            found = next((child for child in self._git.children(node[0]) if child[0] == step), None)
            if found is None:
                return None
            node = found[1:]
        return node

    def _below(self, tree: Oid, prefix: str) -> Iterator[Entry]:
        for name, oid, mode in self._git.children(tree):
            if mode == _FOLDER:
                yield from self._below(oid, f"{prefix}{name}/")
            else:
                yield Entry(f"{prefix}{name}", oid, mode)

    def _contents(self, entry: Entry) -> bytes:
        if entry.mode == _SUBMODULE:
            return b""
        found = self._git.object(entry.oid)
        if found is None:
            message = f"{entry.path} cannot be read: the repository lacks the object {entry.oid}; see `gitmem doctor`"
            raise Unavailable(Code.STORAGE_UNAVAILABLE, message, path=entry.path, details={"object": entry.oid})
        return found[1]


def _entry(path: str, oid: str, mode: str) -> Entry | None:
    number = int(mode, 8)
    return None if number == _ABSENT else Entry(path, Oid(oid), number)


def _scanned(path: str, data: bytes) -> Archive:
    if is_v2_archive(path):
        return scan_v2(path, data)
    from gitmem.format.legacy import scan_legacy  # noqa: PLC0415 (seldom: nobody changes those)

    return scan_legacy(path, data)
