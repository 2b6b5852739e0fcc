"""A workspace's files in memory that can be changed: a staging area without a repository, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.testing.tree import MemoryTree as FixedTree

if TYPE_CHECKING:
    from collections.abc import Mapping


class MemoryTree(FixedTree):
    """Implements ``gitmem.edit.base.StagingArea``."""

    def __init__(self, files: Mapping[str, bytes | str] | None = None) -> None:
        super().__init__(
            {path: data.encode() if isinstance(data, str) else data for path, data in (files or {}).items()}
        )

    def copy(self) -> MemoryTree:
        return MemoryTree(self.files)

    def text(self, path: str) -> str:
        return self.files[path].decode()

    def write(self, path: str, data: bytes) -> None:
        super().__init__({**self.files, path: data})

    def delete(self, path: str) -> None:
        super().__init__({known: data for known, data in self.files.items() if known != path})
