"""Files of the working directory, reached one folder at a time and never through a symbolic link (7.17)."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.store.overlay import blob_id

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from gitmem.ids import Oid

BACKDATED_NS = 20_000_000
"""How far before its writing a file's modification time is set.

A file that changed in the same tick as the index would look unchanged to whoever compares times; one that is older
than the index by construction always shows a later edit.
"""

FOLDERS_OPEN = 200
"""How many folders are kept open; a process may have about a thousand files open."""

TEMPORARY = ".gitmem-new-"
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class OnDisk:
    """What stands at a path: ``data`` is ``None`` when nothing does; ``foreign`` is anything but a regular file."""

    data: bytes | None
    oid: Oid | None = None
    stat: os.stat_result | None = None
    foreign: bool = False


ABSENT = OnDisk(None)
FOREIGN = OnDisk(None, foreign=True)


class WorkFiles:
    """A context over one working directory; keeps the folders it went through open until the end.

    Temporary files are made in ``spool``, a folder of gitmem's own, and moved into place; where that is another file
    system, beside their target.
    """

    def __init__(self, root: Path, spool: Path) -> None:
        """Open both folders; the root itself may be reached through a link."""
        self._folders: dict[str, int] = {"": os.open(root, _FOLDER_FLAGS & ~os.O_NOFOLLOW)}
        self._spool = os.open(spool, _FOLDER_FLAGS)
        self._made = 0

    def __enter__(self) -> Self:
        """Keep folders open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close them."""
        for descriptor in (*self._folders.values(), self._spool):
            os.close(descriptor)

    def stat(self, path: str) -> os.stat_result | None:
        """What stands there, a link itself and not what it points to; ``None``: nothing, or out of reach."""
        try:
            folder, name = self._reach(path, make=False)
            return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return None

    def read(self, path: str) -> OnDisk:
        """The file's bytes and id; links, folders, devices, and files behind a link are foreign."""
        try:
            folder, name = self._reach(path, make=False)
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        except FileNotFoundError:
            return ABSENT
        except OSError:
            return FOREIGN
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            return FOREIGN
        with os.fdopen(descriptor, "rb") as stream:
            data = stream.read()
        return OnDisk(data, blob_id(data), found)

    def link_target(self, path: str) -> str | None:
        """Where a symbolic link points; ``None`` when the path is none."""
        try:
            folder, name = self._reach(path, make=False)
            return os.readlink(name, dir_fd=folder)
        except OSError:
            return None

    def write(self, path: str, data: bytes, mode: int = 0o600) -> os.stat_result:
        """Put the bytes in place in one step; missing folders are made, 0700. Raises ``OSError``."""
        folder, name = self._reach(path, make=True)
        self._made += 1
        temporary = f"{TEMPORARY}{os.getpid()}-{self._made}"
        try:
            self._fill(self._spool, temporary, data, mode)
            os.replace(temporary, name, src_dir_fd=self._spool, dst_dir_fd=folder)
        except OSError as error:
            _unlink(temporary, self._spool)
            if error.errno != errno.EXDEV:
                raise
            self._replace_beside((folder, name), temporary, data, mode)
        return os.stat(name, dir_fd=folder, follow_symlinks=False)

    def delete(self, path: str) -> None:
        """Remove the file and the folders that this empties."""
        folder, name = self._reach(path, make=False)
        os.unlink(name, dir_fd=folder)
        parent = path.rpartition("/")[0]
        while parent:
            above, _, name = parent.rpartition("/")
            try:
                os.rmdir(name, dir_fd=self._folders[above])
            except OSError:
                return
            os.close(self._folders.pop(parent))
            parent = above

    def sweep(self, path: str) -> None:
        """Remove temporary files that a process which died left beside the path."""
        with contextlib.suppress(OSError):
            folder, _name = self._reach(path, make=False)
            for name in os.listdir(folder):  # noqa: PTH208 - a descriptor has no path
                if name.startswith(TEMPORARY):
                    _unlink(name, folder)

    def _replace_beside(self, place: tuple[int, str], temporary: str, data: bytes, mode: int) -> None:
        folder, name = place
        try:
            self._fill(folder, temporary, data, mode)
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            _unlink(temporary, folder)
            raise

    @staticmethod
    def _fill(folder: int, name: str, data: bytes, mode: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, mode, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            moment = time.time_ns() - BACKDATED_NS
            os.utime(descriptor, ns=(moment, moment))

    def _reach(self, path: str, *, make: bool) -> tuple[int, str]:
        """The open folder that the path stands in, and its name there."""
        parent, _, name = path.rpartition("/")
        if len(self._folders) > FOLDERS_OPEN:
            for known in [known for known in self._folders if known]:
                os.close(self._folders.pop(known))
        return self._folder(parent, make=make), name

    def _folder(self, path: str, *, make: bool) -> int:
        if path not in self._folders:
            above, _, name = path.rpartition("/")
            within = self._folder(above, make=make)
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, 0o700, dir_fd=within)
            self._folders[path] = os.open(name, _FOLDER_FLAGS, dir_fd=within)
        return self._folders[path]


def _unlink(name: str, folder: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
