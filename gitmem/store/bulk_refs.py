"""Moving thousands of refs: flushed once instead of once each, and packed (``architecture.md`` section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.store import durability
from gitmem.store.refs import RefMove, move_ref
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
    for move in moves:
        move_ref(handle, move, message)
    if len(moves) >= WORTH_PACKING:
        handle.git.compress_references()
    if flush_once:
        durability.flush_filesystem(repo.common_dir)
