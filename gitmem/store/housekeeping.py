"""Writing while git tidies up: its housekeeping removes folders that are empty, also ones about to be written into.

libgit2 makes the folder of an object or of a ref and then the file in it; between the two, ``git gc`` and
``git pack-refs`` may take the folder away again. Git tries once more then, and so does this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pygit2

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

TRIES = 10
_GONE = "No such file or directory"


def lost_its_folder(error: Exception) -> bool:
    """Whether a write failed because the folder it went into was gone; libgit2 has no error of its own for that."""
    return isinstance(error, FileNotFoundError) or _GONE in str(error)


def firmly(write: Callable[[], T]) -> T:
    """What the write gives; it is tried again when its folder went away. Raises what it raises."""
    for _ in range(TRIES):
        try:
            return write()
        except (OSError, pygit2.GitError) as error:
            if not lost_its_folder(error):
                raise
    return write()
