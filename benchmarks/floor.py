"""The least that two commits, their files and the index can cost: raw pygit2, with the flushing gitmem does.

It knows beforehand what to write; it locks, checks, parses and derives nothing.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import FileMode

from gitmem.store.durability import settle

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Pair:
    """What one transaction wrote: the files of its memory commit and those of its derive commit."""

    memory: Mapping[str, bytes | None]
    derived: Mapping[str, bytes | None]


class Floor:
    """A copy of a workspace in which the same changes are written without gitmem."""

    def __init__(self, folder: Path) -> None:
        """Open the copy. As in gitmem, objects are flushed by ``syncfs``, their names by another, and the ref."""
        self.folder = folder
        self._syncfs = ctypes.CDLL(None).syncfs

    def write(self, pair: Pair) -> None:
        """Two commits, one ref move, the files, the index."""
        repo = pygit2.Repository(str(self.folder))
        settle(repo, fsync=True)
        tip = repo.head.target
        who = pygit2.Signature("gitmem", "gitmem@localhost")
        tree = self._tree(repo, repo[tip].tree_id, pair.memory)
        memory = repo.create_commit(None, who, who, "memory", tree, [tip])
        tree = self._tree(repo, tree, pair.derived)
        derived = repo.create_commit(None, who, who, "views", tree, [memory])
        self._flush()
        repo.references["refs/heads/main"].set_target(derived)
        self._flush()
        files = {**pair.memory, **pair.derived}
        for path, data in files.items():
            self._file(path, data)
        self._index(repo, files)

    def _tree(self, repo: pygit2.Repository, base: pygit2.Oid, files: Mapping[str, bytes | None]) -> pygit2.Oid:
        nested: dict[str, object] = {}
        for path, data in files.items():
            *folders, name = path.split("/")
            level = nested
            for folder in folders:
                level = level.setdefault(folder, {})  # type: ignore[assignment]
            level[name] = None if data is None else repo.create_blob(data)
        return self._level(repo, repo[base], nested)

    def _level(self, repo: pygit2.Repository, tree: pygit2.Object | None, level: dict[str, object]) -> pygit2.Oid:
        builder = repo.TreeBuilder(tree) if tree is not None else repo.TreeBuilder()
        for name, node in level.items():
            if isinstance(node, dict):
                below = tree[name] if isinstance(tree, pygit2.Tree) and name in tree else None
                builder.insert(name, self._level(repo, below, node), FileMode.TREE)
            elif node is None:
                builder.remove(name)
            else:
                builder.insert(name, node, FileMode.BLOB)
        return builder.write()

    def _file(self, path: str, data: bytes | None) -> None:
        target = self.folder / path
        if data is None:
            target.unlink()
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(target.name + ".tmp")
        temporary.write_bytes(data)
        temporary.replace(target)

    def _index(self, repo: pygit2.Repository, files: Mapping[str, bytes | None]) -> None:
        index = repo.index
        index.read()
        for path, data in files.items():
            if data is None:
                index.remove(path)
            else:
                index.add(path)
        index.write()

    def _flush(self) -> None:
        descriptor = os.open(self.folder, os.O_RDONLY)
        self._syncfs(descriptor)
        os.close(descriptor)
