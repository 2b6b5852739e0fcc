"""Locks on refs: whoever moves a ref holds ``<ref>.lock`` for milliseconds, and leaves it there when it is killed.

A held lock is waited for as git waits. One that stays is named, and removed only when nobody can need it any more: no
lock says whose it is (``architecture.md`` section 7, ``kill -9``).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict
from gitmem.store import durability
from gitmem.store.lock import POLL_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.store.repository import Repo

WAIT_SECONDS = 1.0
"""How long a move waits for somebody else's to end; packing all refs takes each lock in turn."""

STALE_SECONDS = 600.0
"""A lock this old is a dead process's: no program keeps one for seconds."""

INDEX_LOCK = "index.lock"
_BESIDE_REFS = ("packed-refs.lock", "HEAD.lock")


@dataclass(frozen=True, slots=True)
class StandingLock:
    """A lock on a ref, or on all packed ones: its path below the git directory, and its age in seconds."""

    name: str
    path: Path
    age: float


def says_locked(error: Exception) -> bool:
    """Whether libgit2 failed because somebody holds a lock; it has no error of its own for that."""
    return "failed to lock file" in str(error)


def locked(ref: str) -> Conflict:
    """The failure of moving a ref that somebody keeps locked."""
    message = (
        f"{ref} is locked: another git process is moving it, or was killed while it did; "
        f"try again, and if that does not help `gitmem doctor` says how old {ref}.lock is and removes an abandoned one"
    )
    return Conflict(Code.CONCURRENT_UPDATE, message, details={"ref": ref, "lock": f"{ref}.lock"})


def wait_until_unlocked(repo: Repo, ref: str, timeout: float) -> None:
    """Wait while somebody holds a ref's lock. Raises ``Conflict`` (``CONCURRENT_UPDATE``) after ``timeout`` seconds."""
    lock, end = repo.common_dir / f"{ref}.lock", time.monotonic() + timeout
    while lock.exists():
        if time.monotonic() >= end:
            raise locked(ref)
        time.sleep(POLL_SECONDS)


def standing_locks(repo: Repo) -> Iterator[StandingLock]:
    """Every lock on a ref that stands there now."""
    places = [(repo.common_dir, path) for path in (repo.common_dir / "refs").rglob("*.lock")]
    if repo.gitdir != repo.common_dir:
        places += [(repo.gitdir, path) for path in (repo.gitdir / "refs").rglob("*.lock")]
    places += [(folder, folder / name) for folder in {repo.common_dir, repo.gitdir} for name in _BESIDE_REFS]
    now = time.time()
    for folder, path in sorted(places):
        try:
            made = path.lstat().st_mtime
        except FileNotFoundError:
            continue
        yield StandingLock(path.relative_to(folder).as_posix(), path, max(now - made, 0.0))


def standing_index_lock(repo: Repo) -> StandingLock | None:
    """The lock on git's index, if it stands there. It is nobody's to remove: a commit keeps it while it is typed."""
    path = repo.gitdir / INDEX_LOCK
    try:
        made = path.lstat().st_mtime
    except FileNotFoundError:
        return None
    return StandingLock(INDEX_LOCK, path, max(time.time() - made, 0.0))


def remove_stale_locks(repo: Repo, age: float = STALE_SECONDS) -> Iterator[StandingLock]:
    """Remove the locks that are at least ``age`` seconds old; to be called with the write lock held."""
    for lock in standing_locks(repo):
        if lock.age >= age and durability.discard_file(lock.path):
            yield lock
