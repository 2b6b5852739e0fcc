"""The read side that a commit, a staging area, an index and a working directory have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Archive, Topic
    from gitmem.ids import Oid


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a tree; ``mode`` is git's (0o100644, 0o100755, 0o120000, 0o160000)."""

    path: str
    oid: Oid
    mode: int


@dataclass(frozen=True, slots=True)
class Change:
    """One path that differs between two trees; ``old``/``new`` is ``None`` where the path is absent."""

    path: str
    old: Entry | None
    new: Entry | None


class Tree(Protocol):
    """One state of the workspace's files. Paths are from the workspace root with ``/``; a file is parsed once by id."""

    def entry(self, path: str) -> Entry | None:
        """The file at the path; ``None`` when absent or a folder."""
        ...

    def read(self, path: str) -> bytes | None:
        """The file's bytes; ``None`` when absent."""
        ...

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Every file at or below the prefix (a folder without trailing slash, or ``""``), in git's order."""
        ...

    def names(self, folder: str) -> tuple[str, ...]:
        """The names directly in a folder (``""``: the root), files and folders; empty when there is no such folder."""
        ...

    def topic(self, path: str) -> Topic | None:
        """The parsed topic; ``None`` when absent. Bytes that are not UTF-8 are replaced (a check refuses them)."""
        ...

    def archive(self, path: str) -> Archive | None:
        """The scanned archive, v2 or legacy by its path; ``None`` when absent."""
        ...

    def changes(self, parent: Tree) -> tuple[Change, ...]:
        """Paths that differ from the parent's, sorted; walks both in step and skips equal ids."""
        ...
