"""Finishing what an interrupted process left, and nothing else (``architecture.md`` section 3, step 8)."""

from __future__ import annotations

import contextlib
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.store import durability
from gitmem.store.head import read_head
from gitmem.store.index_update import IndexUpdate, take_index
from gitmem.store.journal import delete_journal, read_journal
from gitmem.store.leftovers import abandoned, journal_path, needs_recovery, new_index_path
from gitmem.store.lock import write_lock
from gitmem.store.projection import Projection
from gitmem.store.refs import is_ancestor, read_ref
from gitmem.store.snapshot import Snapshot
from gitmem.store.steps import no_step, step
from gitmem.store.tree import Change
from gitmem.store.workfiles import TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.store.journal import Journal
    from gitmem.store.projected import Projected
    from gitmem.store.repository import Repo
    from gitmem.store.steps import OnStep

__all__ = ["Action", "needs_recovery", "recover", "take_back"]

TEMPORARY_AGE_SECONDS = 3600.0
"""A temporary object of another process younger than this may still be being written."""


REF_LOCK_AGE_SECONDS = 60.0
"""A ref is locked for milliseconds; a lock on one of gitmem's own refs that is older is a dead process's."""

_HELD = "it was held by the interrupted write"
_LEFT = "it was left by an interrupted write"
_OWN_REFS = ("refs/gitmem", "refs/notes/gitmem")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that was done (``cli.md``, doctor): ``removed``, ``index.lock``, ``it was held by ...``."""

    what: str
    target: str
    outcome: str


def recover(
    repo: Repo,
    *,
    timeout: float = 5.0,
    temporary_age: float = TEMPORARY_AGE_SECONDS,
    on_step: OnStep = no_step,
) -> tuple[Action, ...]:
    """Finish or take back what an interrupted process left; what was done, in order, empty when nothing was.

    Raises ``Conflict`` (``CONCURRENT_UPDATE``) when somebody is writing now, and ``OSError`` when the disk fails.
    """
    with write_lock(repo, timeout):
        actions: list[Action] = []
        journal = read_journal(repo)
        if journal is not None:
            actions += _finish(repo, journal, timeout, on_step)
            with step(on_step, "journal-delete"):
                delete_journal(repo)
        actions += _sweep(repo, temporary_age)
        return tuple(actions)


def take_back(repo: Repo, branch: str, *, timeout: float = 5.0) -> bool:
    """After a projection: whether HEAD has left the branch meanwhile; then the files become those of the new HEAD."""
    if read_head(repo).branch == branch:
        return False
    journal = read_journal(repo)
    if journal is not None:
        _project(repo, journal, timeout)
    return True


def _finish(repo: Repo, journal: Journal, timeout: float, on_step: OnStep) -> Iterator[Action]:
    ref_lock = repo.common_dir / f"{journal.branch}.lock"
    if _inode(ref_lock) is not None and ref_lock.read_text("ascii", "replace").strip() in {"", journal.new}:
        ref_lock.unlink()
        yield Action("removed", f"{journal.branch}.lock", _HELD)
    tip = read_ref(repo, journal.branch)
    if tip is None or not is_ancestor(repo, journal.new, tip):
        yield Action("withdrew", journal.new, "the interrupted write had not been published")
    elif not repo.is_bare:
        projected = _project(repo, journal, timeout, on_step)
        yield Action("finished", journal.new, f"{len(projected.written)} files brought in step")
        saved = f", saved as {projected.rescue}" if projected.rescue else ""
        for kept in projected.kept:
            yield Action("kept", kept.path, f"{kept.why}{saved}")
    if journal.names(_inode(repo.gitdir / "index.lock")):
        (repo.gitdir / "index.lock").unlink()
        yield Action("removed", "index.lock", _HELD)


def _project(repo: Repo, journal: Journal, timeout: float, on_step: OnStep = no_step) -> Projected:
    """Bring the journal's files to what HEAD has now; on disk they may be as before, as after, or as absorbed."""
    old, through = Snapshot.at(repo, journal.old), Snapshot.at(repo, journal.new)
    target = Snapshot.at(repo, read_head(repo).tip)
    moved = through.changes(old)
    accepted = {
        change.path: (None if change.new is None else change.new.oid, *journal.absorbed.get(change.path, ()))
        for change in moved
    }
    changes = tuple(Change(change.path, change.old, target.entry(change.path)) for change in moved)
    update = IndexUpdate(repo, changes, accepted, (old, through) if target.tree == through.tree else None)
    take_index(repo, update, journal, timeout, on_step)
    projected = Projection(repo, update, sweep=True).run(on_step)
    with step(on_step, "index-rename"):
        update.put_in_place()
    return projected


def _sweep(repo: Repo, temporary_age: float) -> Iterator[Action]:
    for folder in abandoned(repo):
        shutil.rmtree(folder, ignore_errors=True)
        yield Action("removed", folder.name, "its objects were never published")
    fresh = new_index_path(repo)
    strays = (
        *fresh.parent.glob(f"{fresh.name}*"),
        *repo.gitdir.glob(f"{journal_path(repo).name}.tmp-*"),
        *repo.gitmem_dir.glob(f"{TEMPORARY}*"),
        *_older(repo.common_dir / "objects", ("tmp_object_*", "??/tmp_object_*"), temporary_age),
        *(lock for refs in _OWN_REFS for lock in _older(repo.common_dir / refs, ("**/*.lock",), REF_LOCK_AGE_SECONDS)),
    )
    for path in strays:
        if durability.discard_file(path):
            yield Action("removed", path.name, _LEFT)


def _older(folder: Path, patterns: tuple[str, ...], age: float) -> Iterator[Path]:
    limit = time.time() - age
    for path in (path for pattern in patterns for path in folder.glob(pattern)):
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime <= limit:
                yield path


def _inode(path: Path) -> int | None:
    try:
        return path.lstat().st_ino
    except FileNotFoundError:
        return None
