"""The private folder in which an agent's command works: the topics, and nothing else (``behaviours.md`` 0.7).

It lies beside the other runtime state, never in the system's folder for temporary files (17.2, 17.3), and is gone when
the work is over; what a killed process left is cleared away by the next one.
"""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import filelock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

FOLDER = "agents"

_TRIES = 3


@contextmanager
def private_folder(runtime: Path) -> Iterator[Path]:
    """Give a new folder for its owner alone, below ``runtime`` (``.git/gitmem``). Raises ``OSError``."""
    rooms = runtime / FOLDER
    rooms.mkdir(mode=0o700, parents=True, exist_ok=True)
    clear_leftovers(rooms)
    folder = rooms / secrets.token_hex(8)
    with _lock(folder):  # the system lets go of it when this process ends in any way
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            _remove(folder)


def clear_leftovers(rooms: Path) -> None:
    """Remove the folders that nobody holds."""
    for folder in [entry for entry in rooms.iterdir() if entry.is_dir() and not entry.is_symlink()]:
        with suppress(filelock.Timeout), _lock(folder):
            _remove(folder)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Hold a folder's lock, a file beside it. Raises ``filelock.Timeout`` when it is another's."""
    file = folder.with_name(f"{folder.name}.lock")
    with filelock.FileLock(file, timeout=0, mode=0o600, fallback_to_soft=False):
        try:
            yield
        finally:
            if not folder.exists():
                file.unlink(missing_ok=True)


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files at their workspace paths, for their owner alone. Raises ``OSError``."""
    (folder / "topics").mkdir(mode=0o700)
    made = {folder / "topics"}
    for path, data in files.items():
        file = folder / path
        for parent in reversed(file.parents[: path.count("/")]):
            if parent not in made:
                parent.mkdir(mode=0o700, exist_ok=True)
                made.add(parent)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(data)


def _remove(folder: Path) -> None:
    """Remove a folder, whatever stands in it; what somebody still writes into is left to the next process."""
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        _open_up(folder)


def _open_up(folder: Path) -> None:
    """Give its owner back what an agent took: a folder that cannot be entered cannot be emptied."""
    with suppress(OSError):
        folder.chmod(0o700)
        for root, names, _files in os.walk(folder):
            for below in (folder.joinpath(root, name) for name in names):
                if not below.is_symlink():
                    below.chmod(0o700)
