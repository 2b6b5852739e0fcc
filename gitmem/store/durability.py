"""When bytes reach the disk: the one owner of libgit2's process-global flush setting (``architecture.md`` section 7).

One ``syncfs`` before the ref moves replaces one flush per object, where the system has it; elsewhere libgit2 flushes
every object itself. Refs are always flushed by libgit2, which reads its setting once per repository, when the
reference database is first used.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from typing import TYPE_CHECKING

import pygit2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_SETTING = threading.Lock()


def _find_syncfs() -> Callable[[int], int] | None:
    try:
        function = ctypes.CDLL(None, use_errno=True).syncfs
    except (AttributeError, OSError, TypeError):  # no such symbol, or no C library to ask (Windows)
        return None
    function.argtypes = [ctypes.c_int]
    function.restype = ctypes.c_int
    return function


_SYNCFS = _find_syncfs()

FLUSHES_AT_ONCE = _SYNCFS is not None
"""Whether one call flushes everything; without it every object is flushed as it is written."""


def settle(git: pygit2.Repository, *, fsync: bool) -> None:
    """Fix for this repository handle whether its ref updates are flushed; call before anything else uses its refs."""
    with _SETTING:
        pygit2.settings.enable_fsync_gitdir(fsync)
        git.references.get("HEAD")
        pygit2.settings.enable_fsync_gitdir(fsync and not FLUSHES_AT_ONCE)


def flush_filesystem(folder: Path) -> None:
    """Flush everything written to the folder's file system; raises ``OSError``.

    Without ``syncfs`` it does nothing, because libgit2 has flushed each object already.
    """
    if _SYNCFS is None:
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _SYNCFS(descriptor) != 0:
            raise OSError(ctypes.get_errno(), "cannot flush the file system", str(folder))
    finally:
        os.close(descriptor)


def flush_folders(folders: Iterable[Path]) -> None:
    """Flush the folders' own entries (names), each once."""
    for folder in folders:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_private(path: Path, data: bytes, *, fsync: bool) -> None:
    """Put a file of mode 0600 in place in one step; flushed with its name, and where it can be with all before it."""
    temporary = path.with_name(f"{path.name}.tmp-{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        if fsync and not FLUSHES_AT_ONCE:
            stream.flush()
            os.fsync(descriptor)
    temporary.replace(path)
    if fsync and FLUSHES_AT_ONCE:
        flush_filesystem(path.parent)
    elif fsync:
        flush_folders([path.parent])


def discard_file(path: Path) -> bool:
    """Delete a file; ``False`` when there was none."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
        return True
    return False
