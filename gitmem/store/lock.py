"""The write lock: one writer of memory per repository at a time (``architecture.md`` section 3, step 1)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.store.repository import Repo

POLL_SECONDS = 0.004
"""How often a waiting writer looks; a publish takes a few times as long."""


@contextmanager
def write_lock(repo: Repo, timeout: float) -> Iterator[None]:
    """Hold the repository's write lock, waiting at most ``timeout`` seconds; re-entrant in a thread (3.14).

    Raises ``Conflict`` (``CONCURRENT_UPDATE``) when another thread or process keeps it. The operating system releases
    the lock of a process that dies, so nothing ever has to be broken open.
    """
    import filelock  # noqa: PLC0415  (readers and git's hooks take no lock, and it takes long to load)

    path = repo.gitmem_dir / "write.lock"
    lock = filelock.FileLock(path, mode=0o600, is_singleton=True, fallback_to_soft=False)
    try:
        held = lock.acquire(timeout=timeout, poll_interval=POLL_SECONDS)
    except filelock.Timeout as error:
        message = f"another writer has held the memory's lock for {timeout:g} s; try again"
        raise Conflict(Code.CONCURRENT_UPDATE, message, details={"timeout": timeout}) from error
    with held:
        yield
