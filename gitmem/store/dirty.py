"""Which files of the working directory somebody is editing: what git would call changed, staged or untracked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygit2.enums import FileStatus

from gitmem.store.snapshot import path_order

if TYPE_CHECKING:
    from gitmem.store.repository import Repo


def dirty_paths(repo: Repo) -> tuple[str, ...]:
    """Paths that differ from HEAD in the index or on the disk, ignored ones left out; none in a bare repository."""
    if repo.is_bare:
        return ()
    found = (path for path, flags in repo.git.status().items() if flags not in {FileStatus.CURRENT, FileStatus.IGNORED})
    return tuple(sorted(found, key=path_order))
