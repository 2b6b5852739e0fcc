"""What a projection says it did: which files it wrote, and where it met somebody's edit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """Why a file is not simply as the commit has it."""

    EDITED = "edited"  # the text on disk is somebody's; left alone
    STAGED = "staged"  # the index holds somebody's version; left alone
    BLOCKED = "blocked"  # a link, a folder or the file system is in the way; left alone
    MERGED = "merged"  # somebody's edit and the new text were combined on disk
    REPLACED = "replaced"  # somebody had edited a derived view; rendered over


@dataclass(frozen=True, slots=True)
class Kept:
    """One file where somebody's edit met the change."""

    path: str
    why: Why


@dataclass(frozen=True, slots=True)
class Projected:
    """What a projection did: ``kept`` in path order, ``rescue`` the ref that holds what was typed."""

    written: tuple[str, ...] = ()
    kept: tuple[Kept, ...] = ()
    rescue: str | None = None
