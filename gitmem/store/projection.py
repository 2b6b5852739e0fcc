"""Bringing the working directory from one tree to another without touching what somebody is editing (section 3, 8)."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.format import layout
from gitmem.store.index_file import UNKNOWN, FileStat
from gitmem.store.kept_text import Typed
from gitmem.store.left_alone import change_bases, read_bases, save_rescue
from gitmem.store.projected import Kept, Projected, Why
from gitmem.store.snapshot import blob
from gitmem.store.steps import no_step
from gitmem.store.workfiles import ABSENT, FOREIGN, OnDisk, WorkFiles

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from gitmem.ids import Oid
    from gitmem.store.index_update import IndexUpdate
    from gitmem.store.repository import Repo
    from gitmem.store.steps import OnStep
    from gitmem.store.tree import Change, Entry

    MergeFile = Callable[[str, bytes, bytes, bytes], bytes | None]
    """``(path, base, on_disk, new)`` -> the clean merge of the edit on disk and the new text, or ``None``."""

EXECUTABLE = 0o100755
REGULAR = 0o100644
REGULAR_MODES = frozenset({REGULAR, EXECUTABLE})

RESCUED = "text that was being edited while memory changed"
"""The subject of the rescues that a projection makes."""


@dataclass(slots=True)
class _Outcome:
    written: list[str] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    rescued: dict[str, bytes] = field(default_factory=dict)
    bases: dict[str, bytes | None] = field(default_factory=dict)


class Projection:
    """The files of one move, written one by one; the index says which of them somebody has staged."""

    def __init__(
        self,
        repo: Repo,
        index: IndexUpdate,
        merge: MergeFile | None = None,
        *,
        source: Repo | None = None,
        sweep: bool = False,
    ) -> None:
        """Take a built and locked index.

        ``source`` reads objects (``repo`` does by default); ``sweep`` also removes what a dead process left beside the
        files.
        """
        self._sweep = sweep
        self._repo, self._index, self._merge = repo, index, merge
        self._source = source or repo
        self._bases: dict[str, Oid] = {}
        self._kept: set[Oid | None] = set()
        self._outcome = _Outcome()

    def run(self, on_step: OnStep = no_step) -> Projected:
        """Write every changed file that nobody is editing. Raises ``OSError`` only for the runtime's own folders."""
        assert self._repo.workdir is not None  # noqa: S101 - callers skip bare repositories
        self._bases = read_bases(self._repo)
        ordered = sorted(self._index.changes, key=lambda change: change.new is not None)  # room is made first
        with WorkFiles(self._repo.workdir, self._repo.gitmem_dir) as files:
            for place, change in enumerate(ordered):
                self._step(files, change, on_step, first=place == 0, last=place == len(ordered) - 1)
        return self._finish()

    def typed(self) -> dict[str, Typed]:
        """What stands in place of the changed files, and no commit has: an edit, or that somebody deleted one.

        The caller keeps it before anything is written; what went into the change is among it unless it is committed to
        the byte.
        """
        assert self._repo.workdir is not None  # noqa: S101 - callers skip bare repositories
        self._bases = read_bases(self._repo)
        found = {}
        with WorkFiles(self._repo.workdir, self._repo.gitmem_dir) as files:
            for change in self._index.changes:
                entry, disk = self._index.current.entry(change.path), self._on_disk(files, change.path)
                omitted = entry is not None and entry.skip_worktree
                if not (omitted or disk.foreign or disk.oid in {_oid(change.new), *self._committed(change)}):
                    runs = disk.stat is not None and disk.stat.st_mode & stat.S_IXUSR
                    found[change.path] = Typed(disk.data, EXECUTABLE if runs else REGULAR)
                    self._kept.add(disk.oid)
        return found

    def _step(self, files: WorkFiles, change: Change, on_step: OnStep, *, first: bool, last: bool) -> None:
        if first:
            on_step("before-first-file")
        if last:
            on_step("before-last-file")
        if self._sweep:
            files.sweep(change.path)
        self._project(files, change)
        if first:
            on_step("after-first-file")
        if last:
            on_step("after-last-file")

    def _project(self, files: WorkFiles, change: Change) -> None:
        path, entry = change.path, self._index.current.entry(change.path)
        if entry is not None and entry.skip_worktree:
            return
        disk = self._on_disk(files, path)
        if disk.foreign or (change.new is not None and change.new.mode not in REGULAR_MODES):
            self._leave(change, disk, Why.BLOCKED)
        elif path in self._index.staged:
            self._leave(change, disk, Why.STAGED)
        elif disk.oid == _oid(change.new):
            self._keep_staged(change)
            self._settle(change, disk.stat)
        elif disk.oid in self._expected(change):
            self._keep_staged(change)
            self._put(files, change, None if change.new is None else blob(self._source, change.new.oid))
        else:
            self._meet(files, change, disk)

    def _meet(self, files: WorkFiles, change: Change, disk: OnDisk) -> None:
        """The text on disk is nobody's but an editor's."""
        path = change.path
        new = None if change.new is None else blob(self._source, change.new.oid)
        if layout.is_derived(path):
            self._rescue(path, disk)
            self._keep_now(path, disk)
            self._put(files, change, new)
            self._outcome.kept.append(Kept(path, Why.REPLACED))
            return
        merged = None
        if self._merge is not None and new is not None and disk.data is not None:
            merged = self._merge(path, self._base(change), disk.data, new)
        if merged is None:
            self._leave(change, disk, Why.EDITED)
        else:
            self._keep_now(path, disk)
            self._put(files, change, merged, settled=merged == new)
            self._outcome.kept.append(Kept(path, Why.MERGED))

    def _keep_now(self, path: str, disk: OnDisk) -> None:
        """Keep what is about to be written over, unless ``typed`` found it: it was typed since."""
        if disk.data is not None and disk.oid not in self._kept:
            self._kept.add(disk.oid)
            self._outcome.rescued[path] = disk.data
            save_rescue(self._repo, {path: disk.data}, RESCUED)

    def _keep_staged(self, change: Change) -> None:
        """Keep what was staged of a file whose text on disk went into the change, where that is another text."""
        staged = self._index.current.entry(change.path)
        known = {_oid(change.old), _oid(change.new), self._absorbed(change)}
        if change.path in self._index.accepted and staged is not None and staged.oid not in known:
            self._outcome.rescued[f"{change.path}.staged"] = blob(self._repo, staged.oid)

    def _put(self, files: WorkFiles, change: Change, data: bytes | None, *, settled: bool = True) -> None:
        try:
            if data is None:
                files.delete(change.path)
                found = None
            else:
                executable = change.new is not None and change.new.mode == EXECUTABLE
                found = files.write(change.path, data, 0o700 if executable else 0o600)
        except OSError:
            self._leave(change, self._on_disk(files, change.path), Why.BLOCKED)
            return
        self._outcome.written.append(change.path)
        self._settle(change, found if settled else None)

    def _settle(self, change: Change, found: os.stat_result | None) -> None:
        """The file is as the commit has it, or holds an edit that is based on it."""
        if change.new is not None and found is not None:
            self._index.remember(change.path, found)
        if change.path in self._bases:
            self._outcome.bases[change.path] = None

    def _leave(self, change: Change, disk: OnDisk, why: Why) -> None:
        path = change.path
        self._outcome.kept.append(Kept(path, why))
        self._rescue(path, disk)
        staged = self._index.current.entry(path)
        if why is Why.STAGED and staged is not None and staged.oid != disk.oid:
            self._outcome.rescued[f"{path}.staged"] = blob(self._repo, staged.oid)
        if path not in self._bases and why is not Why.BLOCKED:
            self._outcome.bases[path] = self._base(change)

    def _rescue(self, path: str, disk: OnDisk) -> None:
        if disk.data is not None and disk.oid not in {None, self._bases.get(path)}:
            self._outcome.rescued[path] = disk.data

    def _base(self, change: Change) -> bytes:
        """What the edit on disk is based on; nothing when the file was not there."""
        absorbed = self._absorbed(change)
        if absorbed in self._kept and absorbed is not None:
            return blob(self._repo, absorbed)
        if change.path in self._bases:
            return blob(self._repo, self._bases[change.path])
        return b"" if change.old is None else blob(self._repo, change.old.oid)

    def _absorbed(self, change: Change) -> Oid | None:
        """The text on disk that went into the change, if any did."""
        return next(iter(self._index.accepted.get(change.path, ())), None)

    def _expected(self, change: Change) -> set[Oid | None]:
        """States of the file that nobody has typed since the change was made."""
        return self._committed(change).union(self._index.accepted.get(change.path, ()))

    def _committed(self, change: Change) -> set[Oid | None]:
        """States of the file that nobody has typed."""
        states = {_oid(change.old)}
        if change.path in self._bases:
            states.add(self._bases[change.path])
        return states

    def _on_disk(self, files: WorkFiles, path: str) -> OnDisk:
        found, entry = files.stat(path), self._index.current.entry(path)
        if found is None:
            return ABSENT
        if not stat.S_ISREG(found.st_mode):
            return FOREIGN
        unread = entry is not None and entry.stat != UNKNOWN and entry.stat == FileStat.of(found)
        if unread and entry is not None and found.st_mtime_ns < self._index.modified_ns:
            return OnDisk(b"", entry.oid, found)  # as the index knows it: no need to read
        return files.read(path)

    def _finish(self) -> Projected:
        done = self._outcome
        rescue = save_rescue(self._repo, done.rescued, RESCUED)
        if done.bases:
            change_bases(self._repo, done.bases)
        kept = tuple(sorted(done.kept, key=lambda item: item.path))
        return Projected(tuple(done.written), kept, rescue)


def _oid(entry: Entry | None) -> Oid | None:
    return None if entry is None else entry.oid
