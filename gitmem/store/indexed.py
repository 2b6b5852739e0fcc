"""The index and the working directory as trees: what would be committed, and what has not been."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pygit2.enums import FileStatus

from gitmem.errors import Code, Unavailable
from gitmem.store.head import read_head
from gitmem.store.index_file import IndexFile
from gitmem.store.overlay import Overlay
from gitmem.store.snapshot import Snapshot, blob
from gitmem.store.workfiles import WorkFiles

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo

_LINK, _REGULAR, _EXECUTABLE = 0o120000, 0o100644, 0o100755
_OWNER_MAY_RUN = 0o100


class IndexTree(Overlay[Snapshot]):
    """What an index file holds, over the commit it is compared with: ``check --staged`` and ``pre-commit``.

    ``path`` is the index to read (``$GIT_INDEX_FILE`` in a hook), by default the worktree's own. A path in conflict
    stands with its lowest stage.
    """

    def __init__(self, repo: Repo, base: Snapshot, path: Path | None = None) -> None:
        """Read the index once. Raises ``Unavailable`` as ``IndexFile`` does."""
        super().__init__(repo, base)
        staged: dict[str, tuple[Oid, int]] = {}
        for entry in IndexFile.load(path or repo.gitdir / "index").entries():
            staged.setdefault(entry.path, (entry.oid, entry.mode))
        standing = {entry.path: (entry.oid, entry.mode) for entry in base.entries()}
        for gone in standing.keys() - staged.keys():
            self.lay(gone, None)
        for name, (oid, mode) in staged.items():
            if standing.get(name) != (oid, mode):
                self.lay(name, blob(repo, oid), mode, oid=oid)


class WorkdirTree(Overlay[Snapshot]):
    """What the working directory holds, over a commit: unsaved edits, deleted and untracked files included.

    Files that git ignores are left out; a symbolic link stands with its target as its text, as git has it.
    """

    def __init__(self, repo: Repo, base: Snapshot) -> None:
        """Look at the disk once. Raises ``Unavailable`` in a bare repository."""
        super().__init__(repo, base)
        if repo.workdir is None:
            raise Unavailable(Code.STORAGE_UNAVAILABLE, f"{repo.path} is bare: it has no working directory")
        with WorkFiles(repo.workdir, repo.gitmem_dir) as files:
            for path in self._candidates(repo, base):
                self._look(files, path)

    @staticmethod
    def _candidates(repo: Repo, base: Snapshot) -> list[str]:
        """Paths that may differ from the base: git's status knows them, but compares with HEAD."""
        found = {path for path, flags in repo.git.status().items() if flags != FileStatus.IGNORED}
        at_head = Snapshot.at(repo, read_head(repo).tip)
        return sorted(found | {change.path for change in base.changes(at_head)})

    def _look(self, files: WorkFiles, path: str) -> None:
        found = files.read(path)
        if not found.foreign and found.data is not None and found.stat is not None:
            mode = _EXECUTABLE if found.stat.st_mode & _OWNER_MAY_RUN else _REGULAR
            self.lay(path, found.data, mode)
            return
        target = files.link_target(path)
        if target is not None:
            self.lay(path, os.fsencode(target), _LINK)
        elif self.base.entry(path) is not None:
            self.lay(path, None)
