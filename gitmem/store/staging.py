"""A change that is being made: an overlay on the base, and the trees it becomes (``architecture.md`` section 3, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import ObjectType

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.ids import Oid
from gitmem.store.housekeeping import firmly
from gitmem.store.overlay import REGULAR, Overlay
from gitmem.store.snapshot import FOLDER, Snapshot, tree_object, write_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.store.quarantine import Quarantine
    from gitmem.store.repository import Repo

EXECUTABLE = 0o100755

Level = dict[str, "Level | tuple[Oid, int] | None"]
"""One folder of the change: a name leads to a deeper level, to a file's id and mode, or to ``None`` (deleted)."""


class Staging(Overlay[Snapshot]):
    """Implements ``Tree``; nothing is written before ``build``.

    With a quarantine, objects are written there, through its own handle on the repository; without one, into the
    repository itself.
    """

    def __init__(self, repo: Repo, base: Snapshot, quarantine: Quarantine | None = None) -> None:
        """Stage nothing yet."""
        super().__init__(quarantine.repo if quarantine else repo, base)

    def write(self, path: str, data: bytes) -> None:
        """Stage the file's new bytes. Raises ``InvalidRequest`` when a folder stands there, or a file above it."""
        self._refuse_clash(path)
        entry = self.base.entry(path)
        self.lay(path, data, entry.mode if entry is not None and entry.mode == EXECUTABLE else REGULAR)

    def delete(self, path: str) -> None:
        """Stage the file's absence; deleting what is absent changes nothing."""
        self.lay(path, None)

    def snapshot(self) -> Snapshot:
        """The staged state as a snapshot, its trees built."""
        return Snapshot(self.repo, self.build())

    def build(self) -> Oid:
        """Write the blobs and the trees on changed paths; the id of the root tree.

        Raises ``Refused`` (``PATH_OUTSIDE_WORKSPACE``) for names that git itself does not allow in a tree.
        """
        root: Level = {}
        for path in self.laid:
            new, old = self.entry(path), self.base.entry(path)
            if new != old:
                _place(root, path.split("/"), None if new is None else self._store(path, new.mode))
        return self._write_level(self.base.tree, root) or self._write_tree(self.repo.git.TreeBuilder())

    def _refuse_clash(self, path: str) -> None:
        above = next((parent for parent in _parents(path) if self.entry(parent) is not None), None)
        if above is not None:
            raise InvalidRequest(Code.INVALID_ARGUMENT, f"{above} is a file; nothing can stand below it", path=path)
        node = self.base.node(path)
        was_folder = node is not None and node[1] == FOLDER
        if self._filled[path] or (was_folder and next(self.entries(path), None) is not None):
            raise InvalidRequest(Code.INVALID_ARGUMENT, f"{path} is a folder; delete its files first", path=path)

    def _store(self, path: str, mode: int) -> tuple[Oid, int]:
        data = self._files[path] or b""
        written = write_object(self.repo, ObjectType.BLOB, data)
        self.repo.memo.contents(written, data)
        return written, mode

    def _write_level(self, base: Oid | None, level: Level) -> Oid | None:
        """Write one tree and those below it; ``None`` when nothing is left in it."""
        known = None if base is None else tree_object(self.repo, base)
        builder = self.repo.git.TreeBuilder(known) if known is not None else self.repo.git.TreeBuilder()
        for name, change in level.items():
            if isinstance(change, dict):
                below = None
                if known is not None and name in known and int(known[name].filemode) == FOLDER:
                    below = Oid(str(known[name].id))
                written = self._write_level(below, change)
                node = None if written is None else (written, FOLDER)
            else:
                node = change
            _set(builder, name, node)
        return self._write_tree(builder) if len(builder) else None

    def _write_tree(self, builder: pygit2.TreeBuilder) -> Oid:
        return Oid(str(firmly(builder.write)))


def _parents(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))


def _place(root: Level, parts: list[str], node: tuple[Oid, int] | None) -> None:
    level = root
    for part in parts[:-1]:
        deeper = level.get(part)
        if node is None and isinstance(deeper, tuple):
            return  # a file has taken the folder's place, and all below it is gone with it
        if not isinstance(deeper, dict):
            deeper = level[part] = {}
        level = deeper
    level[parts[-1]] = node


def _set(builder: pygit2.TreeBuilder, name: str, node: tuple[Oid, int] | None) -> None:
    try:
        if node is not None:
            builder.insert(name, node[0], node[1])
        elif builder.get(name) is not None:
            builder.remove(name)
    except (pygit2.GitError, ValueError) as error:
        message = f"git does not allow the name {name!r} in a tree"
        raise Refused(Code.PATH_OUTSIDE_WORKSPACE, message, path=name) from error
