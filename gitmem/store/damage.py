"""Objects that a repository should have and has not, or cannot read: a plain failure, never a memory without them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pygit2

from gitmem.errors import Code, Unavailable

if TYPE_CHECKING:
    from gitmem.ids import Oid

_OF_OBJECTS = re.compile(
    r"object|no match for id|inflate|zlib|corrupt|mismatch|parse|pack|reference|index", re.IGNORECASE
)
"""What libgit2 says of damage, as opposed to a wrong call."""


def lost(oid: Oid | str, what: str = "object") -> Unavailable:
    """The failure of reading an object that is missing or broken."""
    message = f"the repository is damaged: the {what} {oid} is missing or cannot be read; see `gitmem doctor`"
    return Unavailable(Code.STORAGE_UNAVAILABLE, message, details={"object": str(oid)})


def explained(error: Exception) -> Unavailable | None:
    """The failure behind an error of libgit2 that no caller foresaw; ``None`` for one that is not about damage."""
    if not isinstance(error, pygit2.GitError) or not _OF_OBJECTS.search(str(error)):
        return None
    message = f"the repository is damaged: {error}; `gitmem doctor` says what is missing"
    return Unavailable(Code.STORAGE_UNAVAILABLE, message)
