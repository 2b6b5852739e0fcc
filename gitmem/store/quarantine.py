"""Objects that are not memory yet: a folder of their own until they are published (``architecture.md`` section 7)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
from typing import TYPE_CHECKING

import pygit2

from gitmem.store import durability
from gitmem.store.steps import step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo
    from gitmem.store.steps import OnStep

PREFIX = "quarantine-"
PRIORITY = 10
"""Above libgit2's own backends, so that every write goes into the quarantine."""

COMPRESSION = 1
"""Fast: the objects stay loose only until the next packing, which compresses anew."""


class Quarantine:
    """A context: what is written through ``repo`` goes into a private folder, and is gone at the end unless promoted.

    ``repo`` is a fresh handle on the same repository that reads everything and writes into the quarantine. The folder
    is locked while its process lives, so that recovery never takes a living one for abandoned.
    """

    def __init__(self, repo: Repo) -> None:
        self.folder = repo.gitmem_dir / f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        self.folder.mkdir(mode=0o700)
        self._objects = repo.common_dir / "objects"
        self._noted: dict[Oid, None] = {}
        self._fsync = repo.fsync
        self._descriptor: int | None = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.repo = repo.fresh()
        self.repo.when_written = self.note
        backend = pygit2.OdbBackendLoose(str(self.folder), COMPRESSION, 0, 0o700, 0o444)
        self.repo.git.odb.add_backend(backend, PRIORITY)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.discard()

    def note(self, oid: Oid) -> None:
        """Say that this object was written, after everything it refers to: objects are promoted in that order."""
        self._noted[oid] = None

    def discard(self) -> None:
        """Delete the objects; ``objects/`` is as if they had never been. Does nothing after ``promote``."""
        if self._descriptor is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(self._descriptor)
            self._descriptor = None

    def promote(self, on_step: OnStep) -> None:
        """Flush the objects and move them into ``objects/``, each after what it refers to. Raises ``OSError``.

        A crash on the way leaves unreachable objects at most, every one of them complete.
        """
        with step(on_step, "flush"):
            if self._fsync:
                durability.flush_filesystem(self.folder)
        with step(on_step, "rename-objects"):
            touched = dict.fromkeys(target for name in self._in_order() if (target := self._move(name)))
            if self._fsync:
                durability.flush_folders([*touched, *([self._objects] if touched else [])])
        self.discard()

    def _in_order(self) -> Iterator[str]:
        noted = [f"{oid[:2]}/{oid[2:]}" for oid in self._noted]
        present = {
            f"{part.name}/{file.name}" for part in self.folder.iterdir() if part.is_dir() for file in part.iterdir()
        }
        yield from sorted(present.difference(noted))
        yield from (name for name in noted if name in present)

    def _move(self, name: str) -> Path | None:
        source, target = self.folder / name, self._objects / name
        if target.exists():
            return None
        target.parent.mkdir(mode=0o700, exist_ok=True)
        source.replace(target)
        return target.parent


def abandoned(repo: Repo) -> Iterator[Path]:
    """Quarantines whose process has died."""
    for folder in sorted(repo.gitmem_dir.glob(f"{PREFIX}*")):
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            finally:
                os.close(descriptor)
            yield folder
