"""One worktree without what is erased: its index, and its files, edited ones too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.forgetting.files import Files
from gitmem.forgetting.views import ROOT_VIEWS
from gitmem.format.layout import FORGOTTEN, SOURCES, TIMELINE, TOPICS
from gitmem.ids import ZERO_OID
from gitmem.store.head import read_head
from gitmem.store.raw import Kind, read_raw, write_raw
from gitmem.store.repository import Repo, open_git
from gitmem.store.snapshot import Snapshot
from gitmem.store.workfiles import WorkFiles
from gitmem.store.worktrees import indexed_blobs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.forgetting.erased import Erased
    from gitmem.forgetting.program import Git
    from gitmem.ids import BlockId, Oid
    from gitmem.store.worktrees import Worktree

_FOLDERS = (TOPICS, SOURCES, TIMELINE)
_GONE = b"0 " + ZERO_OID.encode()


class WorktreeCleaning:
    """Brings one worktree to the history that was rewritten under it."""

    def __init__(self, repo: Repo, worktree: Worktree, erased: Erased, git: Git) -> None:
        """Read the index, as it was before."""
        self._repo, self._worktree, self._git = repo, worktree, git
        self._entries = {path: (mode, oid) for path, mode, oid in indexed_blobs(worktree)}
        self._files = Files(erased)
        for path, (_, oid) in self._entries.items():
            raw = read_raw(repo, oid)
            if raw is not None:
                self._files.look(path, oid, raw.data)
        self._dead: frozenset[BlockId] = frozenset().union(*self._files.gone.values())

    def run(self) -> None:
        """Clean files first, then the index, so that one who looks at both finds the files older."""
        workdir = self._worktree.workdir
        if workdir is not None:
            with WorkFiles(workdir, self._repo.gitmem_dir) as files:
                for path in self._paths(workdir):
                    self._clean_file(files, path)
                self._bring_ledger(files)
        self._clean_index()

    def _paths(self, workdir: Path) -> Iterator[str]:
        """What may quote: everything in the index, and everything that stands in the folders of the memory."""
        found = set(self._entries)
        for folder in _FOLDERS:
            below = (path for path in (workdir / folder).rglob("*") if path.is_file())
            found.update(path.relative_to(workdir).as_posix() for path in below)
        return iter(sorted(found))

    def _clean_file(self, files: WorkFiles, path: str) -> None:
        on_disk = files.read(path)
        if on_disk.data is None or on_disk.stat is None:
            return
        new = self._new(path, on_disk.oid or ZERO_OID, on_disk.data)
        if new is None:
            files.delete(path)
        elif new != on_disk.data:
            files.write(path, new, on_disk.stat.st_mode & 0o777)

    def _new(self, path: str, oid: Oid, data: bytes) -> bytes | None:
        version = (path, oid)
        if self._entries.get(path, (0, ""))[1] == oid and path not in ROOT_VIEWS and version not in self._files.marked:
            linked = self._files.links.get(version, frozenset())
            return data if linked.isdisjoint(self._dead) else self._files.rewritten(path, data, self._dead)
        return self._files.rewritten(path, data, self._dead)

    def _bring_ledger(self, files: WorkFiles) -> None:
        """The commit on top of the branch has a ledger that no file has yet."""
        ledger = self._ledger()
        if ledger is not None:
            files.write(FORGOTTEN, ledger)

    def _ledger(self) -> bytes | None:
        place = self._worktree.workdir or self._worktree.gitdir
        tip = read_head(Repo(open_git(place), fsync=self._repo.fsync)).tip
        return None if tip == ZERO_OID else Snapshot.at(self._repo, tip).read(FORGOTTEN)

    def _clean_index(self) -> None:
        if not self._entries:
            return
        within = self._worktree.workdir
        if within is None:  # a bare repository needs none
            (self._worktree.gitdir / "index").unlink()
            return
        lines = list(self._index_lines())
        if lines:
            self._git.run("update-index", "-z", "--index-info", within=within, stdin=b"\0".join(lines) + b"\0")
        self._git.run("update-index", "--clear-resolve-undo", within=within)
        self._git.run("update-index", "-q", "--refresh", within=within)

    def _index_lines(self) -> Iterator[bytes]:
        for path, (mode, oid) in self._entries.items():
            raw = read_raw(self._repo, oid)
            new = None if raw is None else self._new(path, oid, raw.data)
            if raw is not None and new != raw.data:
                blob = None if new is None else write_raw(self._repo, Kind.BLOB, new)
                yield _index_line(path, mode, blob)
        ledger = self._ledger()
        if ledger is not None:
            yield _index_line(FORGOTTEN, 0o100644, write_raw(self._repo, Kind.BLOB, ledger))


def _index_line(path: str, mode: int, blob: Oid | None) -> bytes:
    head = _GONE if blob is None else b"%o %b" % (mode, blob.encode())
    return head + b"\t" + path.encode("utf-8", "surrogateescape")
