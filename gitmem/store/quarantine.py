"""Objects that are not memory yet: they are kept in this process until they are published (``architecture.md`` 7).

Refusing a change therefore costs nothing and leaves nothing. Publishing writes the objects into a private folder,
flushes them at once and moves them into ``objects/``.
"""

from __future__ import annotations

import os
import secrets
import shutil
from functools import partial
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import ObjectType

from gitmem.store import durability
from gitmem.store.housekeeping import firmly
from gitmem.store.leftovers import QUARANTINE_PREFIX
from gitmem.store.steps import no_step, step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from gitmem.store.repository import Repo
    from gitmem.store.steps import OnStep

PRIORITY = 10
"""Above libgit2's own backends, so that every write goes into the quarantine."""

_KINDS = {
    int(ObjectType.COMMIT): b"commit",
    int(ObjectType.TREE): b"tree",
    int(ObjectType.BLOB): b"blob",
    int(ObjectType.TAG): b"tag",
}


class _Memory(pygit2.OdbBackend):
    """Keeps objects in the order of their writing, in which each comes after what it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.objects: dict[str, tuple[int, bytes]] = {}

    def write_cb(self, oid: pygit2.Oid, data: bytes, kind: int) -> pygit2.Oid:
        self.objects[str(oid)] = (int(kind), data)
        return oid

    def read_cb(self, oid: pygit2.Oid) -> tuple[int, bytes]:
        return self.objects[str(oid)]

    def read_header_cb(self, oid: pygit2.Oid) -> tuple[int, int]:
        kind, data = self.objects[str(oid)]
        return kind, len(data)

    def exists_cb(self, oid: pygit2.Oid) -> bool:
        return str(oid) in self.objects

    def read_prefix_cb(self, start: pygit2.Oid) -> tuple[int, bytes, pygit2.Oid]:
        """Asked for whole ids too; short ones are for people, who cannot know what is not published."""
        return (*self.objects[str(start)], start)

    def exists_prefix_cb(self, start: pygit2.Oid) -> pygit2.Oid:
        if str(start) not in self.objects:
            raise KeyError(start)
        return start

    def refresh_cb(self) -> None:
        """Nothing to look for: only this process writes here."""

    def __iter__(self) -> Iterator[pygit2.Oid]:
        return (pygit2.Oid(hex=oid) for oid in self.objects)


class Quarantine:
    """A context: what is written through ``repo`` stays in memory, and is gone at the end unless promoted.

    ``repo`` is a fresh handle on the same repository that reads everything and writes into the quarantine.
    """

    def __init__(self, repo: Repo) -> None:
        """Open an empty quarantine; touches no file."""
        self.repo = repo.fresh()
        self._plain = repo
        self._memory = _Memory()
        self.repo.git.odb.add_backend(self._memory, PRIORITY)

    def __enter__(self) -> Self:
        """Use it for one change."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Forget what was not promoted."""
        self.discard()

    def discard(self) -> None:
        """Forget the objects; ``repo`` no longer finds those that were not promoted."""
        self._memory.objects.clear()

    def promote(self, on_step: OnStep = no_step, *, flush_names: bool = True) -> None:
        """Flush the objects and move them into ``objects/``, each after what it refers to. Raises ``OSError``.

        A crash on the way leaves unreachable objects at most, every one of them complete. ``flush_names=False`` leaves
        it to the caller to flush the file system before any ref names one of them.
        """
        folder = self._plain.gitmem_dir / f"{QUARANTINE_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        folder.mkdir(mode=0o700)
        each = self._plain.fsync and not durability.FLUSHES_AT_ONCE
        try:
            for oid, (kind, data) in self._memory.objects.items():
                _write(folder / oid, self._plain.memo.deflater.loose(_KINDS[kind], data), flush=each)
            with step(on_step, "flush"):
                if self._plain.fsync:
                    durability.flush_filesystem(folder)
            with step(on_step, "rename-objects"):
                touched = self._move_all(folder)
                folder.rmdir()
                if each:
                    durability.flush_folders(touched)
                elif self._plain.fsync and flush_names:
                    durability.flush_filesystem(self._plain.gitmem_dir)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _move_all(self, folder: Path) -> list[Path]:
        """Move every object; the folders whose names changed."""
        objects = self._plain.common_dir / "objects"
        known, touched = set(os.listdir(objects)), {objects}  # noqa: PTH208 - names, not paths
        for oid in self._memory.objects:
            target = objects / oid[:2] / oid[2:]
            if oid[:2] not in known:
                target.parent.mkdir(mode=0o700, exist_ok=True)
            firmly(partial(_move, folder / oid, target))
            touched.add(target.parent)
        return sorted(touched)


def _move(source: Path, target: Path) -> None:
    try:
        source.replace(target)
    except FileNotFoundError:
        target.parent.mkdir(mode=0o700, exist_ok=True)
        raise


def _write(path: Path, packed: bytes, *, flush: bool) -> None:
    """Write an object as git keeps it by itself: compressed, read-only."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(packed)
        if flush:
            stream.flush()
            os.fsync(descriptor)
