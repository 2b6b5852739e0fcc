"""Three-way merges of single files, as git makes them; nothing is written to any branch, index or working directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import FileMode

if TYPE_CHECKING:
    from gitmem.ids import Oid
    from gitmem.store.repository import Repo


def merge_file(repo: Repo, path: str, *, ancestor: Oid, ours: Oid, theirs: Oid) -> bytes | None:
    """Bring what changed from ``ancestor`` to ``theirs`` (blob ids) into ``ours``; ``None``: both changed the same.

    The file is text in UTF-8, as every topic is.
    """
    base, present, other = (
        pygit2.IndexEntry(path, pygit2.Oid(hex=oid), FileMode.BLOB) for oid in (ancestor, ours, theirs)
    )
    result = repo.git.merge_file_from_index(base, present, other, use_deprecated=False)
    return result.contents.encode() if result.automergeable else None
