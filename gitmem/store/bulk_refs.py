"""Moving thousands of refs: flushed once instead of once each, and packed (``architecture.md`` section 7)."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.format.layout import SESSIONS_PREFIX
from gitmem.store import durability
from gitmem.store.packed_refs import move_packed
from gitmem.store.refs import RefMove, loose_names, move_ref
from gitmem.store.repository import Repo, open_git

if TYPE_CHECKING:
    from collections.abc import Sequence

MANY = 16
"""From how many moves on one flush of the file system is cheaper than one a ref."""

WORTH_PACKING = 256
"""From how many moves on the refs are packed: a file each is slow to list."""


def move_together(repo: Repo, moves: Sequence[RefMove], message: str = "gitmem") -> None:
    """Move refs one after the other, each from its stated old value; all are on the disk when this returns.

    They do not move at once: a crash leaves some moved, and doing it again moves the rest. Raises ``Conflict``
    (``CONCURRENT_UPDATE``) at the first that has another value; those before it have moved.
    """
    flush_once = repo.fsync and durability.FLUSHES_AT_ONCE and len(moves) >= MANY
    handle = Repo(open_git(repo.path), fsync=False, memo=repo.memo) if flush_once else repo
    left = move_packed(repo, moves) if len(moves) >= WORTH_PACKING else moves
    for move in left:
        move_ref(handle, move, message)
    if len(left) >= WORTH_PACKING:
        pack(handle)
    if flush_once:
        durability.flush_filesystem(repo.common_dir)


def pack_many(repo: Repo, prefix: str) -> None:
    """Pack the refs when there are many files below a prefix, which became so many one by one."""
    if sum(1 for _ in loose_names(repo.common_dir, prefix)) >= WORTH_PACKING:
        pack(repo)


def pack(repo: Repo) -> None:
    """Put every ref into one file. The folders that become empty go: libgit2 leaves them, and listing reads each."""
    repo.git.compress_references()
    for folder, _, _ in os.walk(repo.common_dir / SESSIONS_PREFIX, topdown=False):
        with contextlib.suppress(OSError):  # it is not empty
            Path(folder).rmdir()
