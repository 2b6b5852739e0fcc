"""Taking `index.lock` with the next index in it, and putting that index in place (``architecture.md`` 3, 7b and d)."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict
from gitmem.store import durability
from gitmem.store.index_file import FileStat, IndexEntry, IndexFile
from gitmem.store.leftovers import new_index_path
from gitmem.store.lock import POLL_SECONDS
from gitmem.store.steps import no_step, step

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gitmem.ids import Oid
    from gitmem.store.index_file import NewIndex
    from gitmem.store.journal import Journal
    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Snapshot
    from gitmem.store.steps import OnStep
    from gitmem.store.tree import Change

    Accepted = Mapping[str, tuple[Oid | None, ...]]
    """Further states of a file that nobody typed since: the change already holds what was in them.

    When the change was made from the text on disk, that one comes first.
    """

ATTEMPTS = 20
"""How often the index may change between being read and being locked before the caller is told to try again."""


_LONG_SECONDS = 60.0
"""A lock this old may be a dead process's, or that of a commit whose message is being typed."""


class IndexUpdate:
    """The index of one worktree while some of its files change.

    What somebody staged is kept: ``staged`` are the changed paths whose entry is neither the old nor the new state,
    nor one of those ``accepted`` for the path. ``move`` are the trees whose whole difference the changes are, if any.
    """

    def __init__(
        self, repo: Repo, changes: tuple[Change, ...], accepted: Accepted, move: tuple[Snapshot, Snapshot] | None = None
    ) -> None:
        """Take the changes; nothing is read before ``build``."""
        self.changes, self.accepted = changes, accepted
        self._move = move
        self._index = repo.gitdir / "index"
        self._lock = repo.gitdir / "index.lock"
        self._fresh = new_index_path(repo)
        self._seen: tuple[int, int, int] | None = None
        self._next: NewIndex | None = None
        self.current = IndexFile()
        self.modified_ns = 0
        self.staged: frozenset[str] = frozenset()

    @staticmethod
    def wait_until_free(repo: Repo, timeout: float) -> None:
        """Wait while somebody holds ``index.lock``. Raises ``Conflict`` (``CONCURRENT_UPDATE``) after ``timeout`` s."""
        lock, end = repo.gitdir / "index.lock", time.monotonic() + timeout
        while lock.exists():
            if time.monotonic() >= end:
                raise _held(lock)
            time.sleep(POLL_SECONDS)

    def build(self) -> int:
        """Read the index and write the next one beside it, stat data still unknown; its inode."""
        self._seen = _identity(self._index)
        self.current = IndexFile.load(self._index)
        self.modified_ns = self._seen[1] if self._seen else 0
        edits: dict[str, IndexEntry | None] = {}
        staged = set()
        for change in self.changes:
            entry = self.current.entry(change.path)
            if not _expected(entry, change, self.accepted) or self._blocked(entry, change):
                staged.add(change.path)
            elif change.new is None:
                edits[change.path] = None
            else:
                omitted = entry is not None and entry.skip_worktree
                edits[change.path] = IndexEntry(change.path, change.new.oid, change.new.mode, skip_worktree=omitted)
        self.staged = frozenset(staged)
        self._next = self.current.edited(edits, None if staged else self._move)
        durability.discard_file(self._fresh)
        descriptor = os.open(self._fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(self._next.draft())
            return os.fstat(descriptor).st_ino

    def _blocked(self, entry: IndexEntry | None, change: Change) -> bool:
        """Whether somebody staged a file where this one needs a folder, or the other way round."""
        if entry is not None or change.new is None:
            return False
        leaving = {other.path for other in self.changes if other.new is None}
        return any(path not in leaving for path in self.current.in_the_way(change.path))

    def lock_inode(self) -> int | None:
        """The inode of the ``index.lock`` that stands there now, whoever's it is."""
        found = _identity(self._lock)
        return None if found is None else found[0]

    def take_lock(self, timeout: float, former: int | None = None) -> bool:
        """Make the next index the lock; ``False`` when the index changed since it was read, and nothing is held.

        A lock of the inode ``former`` is a dead process's and is replaced in one step: nobody gets it in between.
        Raises ``Conflict`` (``CONCURRENT_UPDATE``) when somebody keeps the lock for ``timeout`` seconds.
        """
        if former is not None and self.lock_inode() == former:
            beside = self._fresh.with_name(f"{self._fresh.name}-lock")
            durability.discard_file(beside)
            os.link(self._fresh, beside)
            beside.replace(self._lock)
        else:
            self._link(time.monotonic() + timeout)
        if _identity(self._index) == self._seen:
            return True
        self._lock.unlink()
        return False

    def _link(self, end: float) -> None:
        while True:
            try:
                os.link(self._fresh, self._lock)
            except FileExistsError:
                if time.monotonic() >= end:
                    raise _held(self._lock) from None
                time.sleep(POLL_SECONDS)
            else:
                return

    def remember(self, path: str, found: os.stat_result | None) -> None:
        """Fill in what a written file looks like on disk, if the next index has an entry for it."""
        if self._next is not None and found is not None and path not in self.staged:
            self._next.set_stat(path, FileStat.of(found))

    def put_in_place(self) -> None:
        """Write the stat data into the lock and make it the index."""
        if self._next is not None:
            with self._lock.open("r+b") as stream:
                stream.write(self._next.data())
            self._lock.replace(self._index)

    def forget(self) -> None:
        """Delete the next index's own name; kept until now, so that no other file could get its inode."""
        durability.discard_file(self._fresh)

    def release(self) -> None:
        """Give the lock up, if it is ours, and forget the next index."""
        fresh, lock = _identity(self._fresh), _identity(self._lock)
        if fresh is not None and lock is not None and fresh[0] == lock[0]:
            self._lock.unlink()
        self.forget()


def take_index(repo: Repo, update: IndexUpdate, journal: Journal, timeout: float, on_step: OnStep = no_step) -> None:
    """Build the next index, note its inode in the journal and make it ``index.lock``, again while the index changes.

    A lock that the journal names already, left by a process that died, is taken over.

    Raises ``Conflict`` (``CONCURRENT_UPDATE``) when somebody keeps the lock or the index keeps changing.
    """
    standing = update.lock_inode()
    former = standing if journal.names(standing) else None
    for _ in range(ATTEMPTS):
        with step(on_step, "index-new"):
            inode = update.build()
        with step(on_step, "journal"):
            replace(journal, index_lock_inode=inode, former_lock_inode=former).write(repo)
        with step(on_step, "index-lock"):
            locked = update.take_lock(timeout, former)
        if locked:
            return
    raise Conflict(Code.CONCURRENT_UPDATE, "the git index keeps changing; try again")


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _expected(entry: IndexEntry | None, change: Change, accepted: Accepted) -> bool:
    if entry is not None and entry.stage:
        return False
    states = {change.old and change.old.oid, change.new and change.new.oid, *accepted.get(change.path, ())}
    return (entry and entry.oid) in states


def _held(lock: Path) -> Conflict:
    try:
        age = time.time() - lock.lstat().st_mtime
    except FileNotFoundError:  # it is free now
        age = 0.0
    message = f"another git process holds {lock.name}; try again when it has finished"
    if age >= _LONG_SECONDS:
        message += f"; it stands there for {age:,.0f} s: if no git command runs, remove it from the git directory"
    return Conflict(Code.CONCURRENT_UPDATE, message, details={"lock": lock.name})
