"""The memory at one revision, read-only (``architecture.md`` section 4)."""

from __future__ import annotations

import operator
import re
from itertools import takewhile
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import FileMode, ObjectType

from gitmem.errors import Code, NotFound, Unavailable
from gitmem.ids import Oid
from gitmem.store.damage import lost
from gitmem.store.housekeeping import firmly
from gitmem.store.tree import Change, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.format.model import Archive, Topic
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree

EMPTY_TREE = Oid("4b825dc642cb6eb9a060e54bf8d69288fbee4904")
FOLDER = int(FileMode.TREE)
SUBMODULE = int(FileMode.COMMIT)

_ITEM = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL)
"""One entry of a tree object: mode, name, id."""

Node = tuple[Oid, int]
"""A tree entry's id and mode."""


class Snapshot:
    """The tree of a commit (or any tree): implements ``Tree``. ``tree`` is its id, ``commit`` the commit's if any.

    ``Snapshot(repo, tree)`` looks at a tree, ``Snapshot.at(repo, commit)`` at a commit's; ``EMPTY_TREE`` is the tree
    of an unborn branch.
    """

    def __init__(self, repo: Repo, tree: Oid = EMPTY_TREE, commit: Oid | None = None) -> None:
        """Look at a tree; nothing is read yet."""
        self.repo = repo
        self.tree = tree
        self.commit = commit

    @classmethod
    def at(cls, repo: Repo, commit: Oid) -> Snapshot:
        """The tree of a commit; the empty tree for the zero id. Raises ``NotFound`` (``REVISION_NOT_FOUND``)."""
        if commit == "0" * len(commit):
            return cls(repo)
        try:
            found: object = repo.git.get(commit)
        except pygit2.GitError as error:
            raise lost(commit, "commit") from error
        if not isinstance(found, pygit2.Commit):
            raise NotFound(Code.REVISION_NOT_FOUND, f"there is no commit {commit} in this repository")
        return cls(repo, Oid(str(found.tree_id)), commit)

    def entry(self, path: str) -> Entry | None:
        """The file at the path; ``None`` when absent or a folder."""
        node = self.node(path)
        return None if node is None or node[1] == FOLDER else Entry(path, *node)

    def node(self, path: str) -> Node | None:
        """What stands at the path, a file or a folder (``""`` is the root)."""
        if not path:
            return self.tree, FOLDER
        tree = tree_object(self.repo, self.tree)
        try:
            found = tree[path]
        except (pygit2.GitError, KeyError, ValueError):
            self._require_folders(tree, path)
            return None
        return Oid(str(found.id)), int(found.filemode)

    def _require_folders(self, tree: pygit2.Tree, path: str) -> None:
        """Raise ``Unavailable`` when a path is not found because a folder of it cannot be read."""
        for name in path.split("/")[:-1]:
            if name not in tree or int(tree[name].filemode) != FOLDER:
                return
            tree = tree_object(self.repo, Oid(str(tree[name].id)))

    def read(self, path: str) -> bytes | None:
        """The file's bytes; ``None`` when absent. Raises ``Unavailable`` when the repository has lost them."""
        found = self.entry(path)
        return None if found is None else contents(self.repo, found)

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Every file at or below the prefix, in git's order."""
        node = self.node(prefix)
        if node is None:
            return iter(())
        if node[1] != FOLDER:
            return iter((Entry(prefix, *node),))
        return files_below(self.repo, node[0], f"{prefix}/" if prefix else "")

    def names(self, folder: str) -> tuple[str, ...]:
        """The names directly in a folder (``""``: the root), files and folders; empty when there is no such folder."""
        node = self.node(folder)
        return tuple(children(self.repo, node[0])) if node is not None and node[1] == FOLDER else ()

    def topic(self, path: str) -> Topic | None:
        """The parsed topic; ``None`` when absent."""
        found = self.entry(path)
        if found is None:
            return None
        return self.repo.memo.topic(path, found.oid, lambda: contents(self.repo, found))

    def archive(self, path: str) -> Archive | None:
        """The scanned archive; ``None`` when absent."""
        found = self.entry(path)
        if found is None:
            return None
        return self.repo.memo.archive(path, found.oid, lambda: contents(self.repo, found))

    def changes(self, parent: Tree) -> tuple[Change, ...]:
        """Paths that differ from the parent's, sorted as git sorts them."""
        if isinstance(parent, Snapshot):
            return tuple(
                sorted(differences(self.repo, parent.tree, self.tree), key=lambda change: path_order(change.path))
            )
        return compare_listings(parent, self)


def tree_object(repo: Repo, oid: Oid) -> pygit2.Tree:
    """The tree object of this id. Raises ``Unavailable`` (``STORAGE_UNAVAILABLE``) when it cannot be read."""
    try:
        found: object = repo.git[oid]
    except (pygit2.GitError, KeyError) as error:
        raise lost(oid, "tree") from error
    if not isinstance(found, pygit2.Tree):
        raise KeyError(oid)
    return found


def blob(repo: Repo, oid: Oid) -> bytes:
    """The bytes of a blob; a submodule's id, which names a commit of elsewhere, reads as nothing."""
    return _stored(repo, oid) or b""


def contents(repo: Repo, entry: Entry) -> bytes:
    """The bytes of a file that a tree names; a submodule has none.

    Raises ``Unavailable`` (``STORAGE_UNAVAILABLE``) when they are not here: a damaged repository, or a partial clone.
    """
    try:
        data = _stored(repo, entry.oid)
    except pygit2.GitError:  # its bytes are not those of its name
        data = None
    if data is None and entry.mode != SUBMODULE:
        message = f"{entry.path} cannot be read: the repository lacks the object {entry.oid}; see `gitmem doctor`"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message, path=entry.path, details={"object": entry.oid})
    return data or b""


def _stored(repo: Repo, oid: Oid) -> bytes | None:
    """The bytes of a blob, read without making an object of it, which takes five times as long; ``None``: not here."""
    known = repo.memo.large.peek((oid, ""))
    if known is not None:
        return known
    try:
        kind, data = repo.git.read(oid)
    except KeyError:
        return None
    return repo.memo.contents(oid, data) if kind == ObjectType.BLOB else None


def children(repo: Repo, oid: Oid) -> dict[str, Node]:
    """What stands directly in a tree."""
    return _nodes(_items(repo, oid))


def write_object(repo: Repo, kind: ObjectType, data: bytes) -> Oid:
    """Write an object's bytes; its id."""
    return Oid(str(firmly(lambda: repo.git.odb.write(int(kind), data))))


def write_tree(repo: Repo, listing: Mapping[str, Node]) -> Oid:
    """Write a tree of what ``children`` gives; five times as fast as telling git of each entry."""
    names = {name.encode("utf-8", "surrogateescape"): node for name, node in listing.items()}
    # Git sorts folders as if their names ended in a slash.
    ordered = sorted(names.items(), key=lambda item: item[0] + b"/" if item[1][1] == FOLDER else item[0])
    data = b"".join(b"%o %b\0%b" % (mode, name, bytes.fromhex(oid)) for name, (oid, mode) in ordered)
    return write_object(repo, ObjectType.TREE, data)


def _items(repo: Repo, oid: Oid) -> list[tuple[bytes, bytes, bytes]]:
    """What stands directly in a tree, as git keeps it: a folder of thousands of threads is read at every write."""
    if oid == EMPTY_TREE:
        return []
    try:
        kind, data = repo.git.read(oid)
    except (pygit2.GitError, KeyError) as error:
        raise lost(oid, "tree") from error
    if kind != ObjectType.TREE:
        raise KeyError(oid)
    return _ITEM.findall(data)


def _unlike(
    old: list[tuple[bytes, bytes, bytes]], new: list[tuple[bytes, bytes, bytes]]
) -> tuple[dict[str, Node], dict[str, Node]]:
    """The entries of two trees without those that both begin and end with; one change leaves one entry a side."""
    head = sum(1 for _ in takewhile(bool, map(operator.eq, old, new)))
    old, new = old[head:], new[head:]
    tail = sum(1 for _ in takewhile(bool, map(operator.eq, reversed(old), reversed(new))))
    return _nodes(old[: len(old) - tail]), _nodes(new[: len(new) - tail])


def _nodes(items: list[tuple[bytes, bytes, bytes]]) -> dict[str, Node]:
    return {name.decode("utf-8", "surrogateescape"): (Oid(oid.hex()), int(mode, 8)) for mode, name, oid in items}


def _name(item: pygit2.Object) -> str:
    return item.name or ""


def files_below(repo: Repo, oid: Oid, prefix: str) -> Iterator[Entry]:
    """Every file of a tree; ``prefix`` ends in ``/`` or is empty."""
    for item in tree_object(repo, oid):
        path, child, mode = prefix + _name(item), Oid(str(item.id)), int(item.filemode)
        if mode == FOLDER:
            yield from files_below(repo, child, f"{path}/")
        else:
            yield Entry(path, child, mode)


def differences(repo: Repo, old: Oid, new: Oid, prefix: str = "") -> Iterator[Change]:
    """What differs between two trees, walking both in step and skipping equal ids; in no particular order."""
    if old == new:
        return
    before, after = top_differences(repo, old, new)
    for name in before.keys() | after.keys():
        yield from _difference(repo, f"{prefix}{name}", before.get(name), after.get(name))


def top_differences(repo: Repo, old: Oid, new: Oid) -> tuple[dict[str, Node], dict[str, Node]]:
    """What stands directly in each of two trees, and not so in the other."""
    before, after = _unlike(_items(repo, old), _items(repo, new))
    same = before.items() & after.items()
    return dict(before.items() - same), dict(after.items() - same)


def _difference(repo: Repo, path: str, old: Node | None, new: Node | None) -> Iterator[Change]:
    old_file = Entry(path, *old) if old is not None and old[1] != FOLDER else None
    new_file = Entry(path, *new) if new is not None and new[1] != FOLDER else None
    if old_file or new_file:
        yield Change(path, old_file, new_file)
    old_folder = old[0] if old is not None and old[1] == FOLDER else EMPTY_TREE
    new_folder = new[0] if new is not None and new[1] == FOLDER else EMPTY_TREE
    yield from differences(repo, old_folder, new_folder, f"{path}/")


def compare_listings(parent: Tree, child: Tree) -> tuple[Change, ...]:
    """What differs between any two trees, by listing both: for trees that have no ids to skip by."""
    before = {entry.path: entry for entry in parent.entries()}
    after = {entry.path: entry for entry in child.entries()}
    paths = sorted(before.keys() | after.keys(), key=path_order)
    return tuple(
        Change(path, before.get(path), after.get(path)) for path in paths if before.get(path) != after.get(path)
    )


def path_order(path: str) -> bytes:
    """The key by which git sorts whole paths."""
    return path.encode("utf-8", "surrogateescape")
