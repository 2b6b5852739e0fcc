"""Reading back what an agent's command left, which may be anything: no link is followed, nothing is executed."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.checks.text import MAX_TOPIC_BYTES
from gitmem.errors import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_ENTRIES = 1_000_000
DEEPEST = 32
"""Folders inside folders, more than any topic needs."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def read_topics(folder: Path) -> Iterator[tuple[str, str]]:
    """Every Markdown file below ``topics/`` with its text, by its workspace path; other files are none of gitmem's.

    Raises ``Refused`` (``WRITER_FAILURE_UNKNOWN``) when the folder of topics is gone, or when there is more in it than
    anybody meant, and (``INVALID_TOPIC_FORMAT``) for a topic that is no regular file, too large or not UTF-8.
    """
    try:
        opened = os.open(folder / "topics", _FOLDER)
    except OSError as error:
        raise Refused(Code.WRITER_FAILURE_UNKNOWN, "the writer's command took the folder topics away") from error
    yield from _Walk().files(opened, "topics", 1)


def read_text(folder: Path, name: str, limit: int) -> str:
    """The beginning of a file that may be there; empty when it is not, or is no regular file."""
    opened = os.open(folder, _FOLDER)
    try:
        return _read(opened, name, limit).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
    finally:
        os.close(opened)


@dataclass(slots=True)
class _Walk:
    entries: int = field(default=0)

    def files(self, folder: int, path: str, depth: int) -> Iterator[tuple[str, str]]:
        """The files of an open folder, which is closed afterwards."""
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
            self.entries += len(entries)
            if self.entries > MOST_ENTRIES or depth > DEEPEST:
                raise Refused(Code.WRITER_FAILURE_UNKNOWN, "the writer's command left more files than can be looked at")
            for entry in entries:
                place = f"{path}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    yield from self._below(folder, entry.name, place, depth)
                elif entry.name.endswith(".md"):
                    yield place, _text(folder, entry.name, place)
        finally:
            os.close(folder)

    def _below(self, folder: int, name: str, place: str, depth: int) -> Iterator[tuple[str, str]]:
        try:
            opened = os.open(name, _FOLDER, dir_fd=folder)
        except OSError as error:
            raise _refused(place, "cannot be read") from error
        yield from self.files(opened, place, depth + 1)


def _text(folder: int, name: str, place: str) -> str:
    try:
        data = _read(folder, name, MAX_TOPIC_BYTES + 1)
    except ValueError as error:
        raise _refused(place, "is no regular file") from error
    except OSError as error:
        raise _refused(place, "is a link, or cannot be read") from error
    if len(data) > MAX_TOPIC_BYTES:
        raise _refused(place, f"is larger than {MAX_TOPIC_BYTES:,} bytes")
    try:
        place.encode()
        return data.decode()
    except UnicodeError as error:
        raise _refused(place, "is not UTF-8") from error


def _read(folder: int, name: str, limit: int) -> bytes:
    """At most so many bytes of a regular file. Raises ``ValueError`` for another kind, ``OSError`` for a link."""
    opened = os.open(name, _FILE, dir_fd=folder)
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise ValueError
        return file.read(limit)


def _refused(place: str, what: str) -> Refused:
    shown = place.encode("utf-8", "replace").decode()
    return Refused(Code.INVALID_TOPIC_FORMAT, f"the writer's command left {shown!r}, which {what}", path=shown)
