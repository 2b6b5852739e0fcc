"""Putting right what a dead process or a bad disk left in git's own files: locks, the index, broken refs."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING

import pygit2

from gitmem.errors import Code, Unavailable
from gitmem.ids import WHOLE_OID, ZERO_OID
from gitmem.store.head import read_head
from gitmem.store.index_file import DAMAGED, IndexFile
from gitmem.store.journal import read_journal
from gitmem.store.leftovers import SIGNING_PREFIX
from gitmem.store.lock import write_lock
from gitmem.store.recovery import Action
from gitmem.store.ref_locks import STALE_SECONDS, StandingLock, remove_stale_locks, standing_locks
from gitmem.store.snapshot import Snapshot, tree_object

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.store.repository import Repo

_CHECKSUM = 20
_UNSEALED = bytes(_CHECKSUM)
"""What stands for a checksum where ``index.skipHash`` is set."""

_SYMBOLIC = "ref: "


def mend_locks(repo: Repo, *, timeout: float) -> tuple[tuple[Action, ...], tuple[StandingLock, ...]]:
    """Remove what dead processes hold on to; what was done, and the locks that may be somebody's still.

    A lock on a ref that is ten minutes old is a dead process's; ``index.lock`` never is by its age, because ``git
    commit`` holds it while an editor is open. Raises ``Conflict`` when somebody writes.
    """
    with write_lock(repo, timeout):
        minutes = f"{STALE_SECONDS / 60:g} minutes"
        actions = [
            Action("removed", lock.name, f"it stood for more than {minutes}: whoever made it is dead")
            for lock in remove_stale_locks(repo)
        ]
        for folder in sorted(repo.gitmem_dir.glob(f"{SIGNING_PREFIX}*")):
            shutil.rmtree(folder, ignore_errors=True)
            actions.append(Action("removed", folder.name, "it was left by an interrupted write"))
    return tuple(actions), tuple(standing_locks(repo))


def mend_index(repo: Repo, *, timeout: float) -> Action | None:
    """Make git's index anew from HEAD where it is missing or broken; files on disk stay as they are.

    What was staged in a broken one cannot be known; its bytes are kept beside the runtime's files. Raises ``Conflict``
    when somebody writes, and ``Unavailable`` when HEAD cannot be read or somebody may be writing the index.
    """
    if repo.is_bare or (broken := _is_broken(repo.gitdir / "index")) is None:
        return None
    with write_lock(repo, timeout):
        head = read_head(repo).tip
        if head == ZERO_OID:
            return None
        if _is_held(repo):
            message = f"git's index is {broken}, and index.lock stands there: end what holds it, or remove it"
            raise Unavailable(Code.STORAGE_UNAVAILABLE, message)
        fresh = repo.gitmem_dir / "index.rebuilt"
        fresh.unlink(missing_ok=True)
        index = pygit2.Index(str(fresh))
        index.read_tree(tree_object(repo, Snapshot.at(repo, head).tree))
        index.write()
        fresh.chmod(0o600)
        outcome = f"it was {broken}"
        if (repo.gitdir / "index").exists():
            (repo.gitdir / "index").replace(repo.gitmem_dir / "index.broken")
            outcome += "; what it held is in .git/gitmem/index.broken"
        fresh.replace(repo.gitdir / "index")
    return Action("rebuilt", "index", outcome)


def broken_refs(repo: Repo) -> Iterator[str]:
    """The refs whose files name no object: empty ones, as a power cut leaves them, and garbage."""
    for path in sorted((repo.common_dir / "refs").rglob("*")):
        if path.is_file() and path.suffix != ".lock":
            text = path.read_text("utf-8", "replace").strip()
            if not (WHOLE_OID.fullmatch(text) or text.startswith(_SYMBOLIC)):
                yield path.relative_to(repo.common_dir).as_posix()


def _is_broken(path: Path) -> str | None:
    """What is wrong with an index file; ``None`` when nothing is, or git would understand what gitmem does not."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return "missing"
    seal = data[-_CHECKSUM:]
    if seal not in {_UNSEALED, hashlib.sha1(data[:-_CHECKSUM], usedforsecurity=False).digest()}:
        return "damaged"
    try:
        IndexFile(data)
    except Unavailable as error:
        return "damaged" if DAMAGED in error.message else None
    return None


def _is_held(repo: Repo) -> bool:
    """Whether somebody may be writing an index just now."""
    try:
        inode = (repo.gitdir / "index.lock").lstat().st_ino
    except FileNotFoundError:
        return False
    journal = read_journal(repo)
    return journal is None or not journal.names(inode)
