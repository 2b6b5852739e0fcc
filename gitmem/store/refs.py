"""Refs: names to commits, moved only from a stated old value (``architecture.md`` section 7, compare-and-swap)."""

from __future__ import annotations

import contextlib
import os
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import pygit2

from gitmem.errors import Code, Conflict, NotFound, Unavailable
from gitmem.format import layout
from gitmem.ids import Oid
from gitmem.store.damage import lost
from gitmem.store.housekeeping import firmly
from gitmem.store.lock import POLL_SECONDS
from gitmem.store.ref_locks import WAIT_SECONDS, locked, says_locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.store.repository import Repo

_TRIES = 3
"""How many numbered refs in a row may fail to be made before it is the disk, and not somebody else."""

_NUMBERED = re.compile(r"(?P<at>\d{8}T\d{6}Z)-(?P<n>\d+)")


@dataclass(frozen=True, slots=True)
class Ref:
    """One ref: its full name and the object it names."""

    name: str
    oid: Oid


@dataclass(frozen=True, slots=True)
class RefMove:
    """One ref's change from ``old`` (``None``: it does not exist) to ``new`` (``None``: delete it)."""

    name: str
    old: Oid | None
    new: Oid | None


def read_ref(repo: Repo, name: str) -> Oid | None:
    """The object a ref names, read from the disk; ``None`` when there is no such ref.

    Raises ``Unavailable`` for one that names none.
    """
    try:
        reference = repo.git.references.get(name)
        return None if reference is None else Oid(str(reference.resolve().target))
    except pygit2.GitError as error:
        raise lost(name, "ref") from error


def move_ref(repo: Repo, move: RefMove, message: str = "gitmem") -> None:
    """Move one ref if it still has the stated old value, which libgit2 compares again under the ref's lock.

    Raises ``Conflict`` (``CONCURRENT_UPDATE``) when it has another value, or somebody keeps its lock.
    """
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return firmly(lambda: _move(repo, move, message))
        except (pygit2.GitError, OSError, KeyError, ValueError) as error:
            if read_ref(repo, move.name) == move.new:
                return None  # it did move; what failed came after
            if not says_locked(error):
                raise _lost(move.name, str(error)) from error
            if time.monotonic() >= end:
                raise locked(move.name) from error
        time.sleep(POLL_SECONDS)


def _move(repo: Repo, move: RefMove, message: str) -> None:
    if move.old is None:
        if move.new is not None:
            _create(repo, move.name, move.new, message)
        return
    reference = repo.git.references[move.name]
    if Oid(str(reference.target)) != move.old:
        raise _lost(move.name, f"it is {reference.target}, not {move.old}")
    if move.new is None:
        reference.delete()
    else:
        reference.set_target(move.new, message)  # on the reference loaded above: a fresh look-up would not compare


def _create(repo: Repo, name: str, oid: Oid, message: str) -> None:
    """Make a ref that does not exist; libgit2's own creation looks before it takes the lock, and may write over one."""
    with repo.git.transaction() as transaction:
        transaction.lock_ref(name)
        if read_ref(repo, name) is not None:
            raise _lost(name, "it exists")
        _refuse_folder(repo, name)
        transaction.set_target(name, oid, message=message)


def _refuse_folder(repo: Repo, name: str) -> None:
    """A ref cannot be a folder of another."""
    above = [str(folder) for folder in PurePosixPath(name).parents if str(folder).count("/") > 1]
    clash = next((other for other in above if read_ref(repo, other) is not None), None)
    below = list_refs(repo, f"{name}/")
    if clash or below:
        raise _lost(name, f"{clash or below[0].name} stands in its way")


def move_refs(repo: Repo, moves: Iterable[RefMove], message: str = "gitmem") -> tuple[str, ...]:
    """Move each ref on its own; the names of those that had another value, which stay as they are."""
    lost = []
    for move in moves:
        try:
            move_ref(repo, move, message)
        except Conflict:
            lost.append(move.name)
    return tuple(lost)


def _lost(name: str, why: str) -> Conflict:
    message = f"{name} was moved by somebody else meanwhile; try again"
    return Conflict(Code.CONCURRENT_UPDATE, message, details={"ref": name, "reason": why})


# --- listing ----------------------------------------------------------------------------------------------------


def list_refs(repo: Repo, prefix: str) -> tuple[Ref, ...]:
    """Refs whose names start with the prefix (which ends in ``/``), sorted; costs what they are, not all refs."""
    # Loose ones first: a ref that somebody packs meanwhile is then found packed, never in neither place.
    loose = dict(_loose(repo.common_dir, prefix))
    found = {**dict(_packed(repo.common_dir / "packed-refs", prefix)), **loose}
    return tuple(Ref(name, Oid(found[name])) for name in sorted(found) if not found[name].startswith("ref:"))


def _loose(common_dir: Path, prefix: str) -> Iterator[tuple[str, str]]:
    for name in loose_names(common_dir, prefix):
        with contextlib.suppress(FileNotFoundError):
            yield name, Path(common_dir, name).read_text("ascii").strip()


def loose_names(common_dir: Path, prefix: str) -> Iterator[str]:
    """The names below a prefix (which ends in ``/``) of refs that are files of their own; no file is read."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(f"{common_dir}/{prefix}") as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from loose_names(common_dir, f"{prefix}{entry.name}/")
            elif not entry.name.endswith(".lock"):
                yield f"{prefix}{entry.name}"


def _packed(path: Path, prefix: str) -> Iterator[tuple[str, str]]:
    try:
        lines = path.read_text("utf-8", "surrogateescape").split("\n")
    except FileNotFoundError:
        return
    for line in lines:
        oid, _, name = line.partition(" ")
        if name.startswith(prefix):
            yield name, oid


# --- numbered refs: autosaves and rescues -----------------------------------------------------------------------


def create_numbered(repo: Repo, prefix: str, oid: Oid, *, at: datetime | None = None) -> str:
    """Make ``<prefix><utc>-<n>`` with the first free number of that second; its full name.

    Raises ``Unavailable`` (``STORAGE_UNAVAILABLE``) when refs cannot be written.
    """
    moment = (at or datetime.now(UTC)).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    number, failed = 1, 0
    while True:
        name = f"{prefix}{moment}-{number}"
        if read_ref(repo, name) is None:
            try:
                move_ref(repo, RefMove(name, None, oid))
            except Conflict as error:
                failed += read_ref(repo, name) is None  # else somebody else took that number
                if failed == _TRIES:
                    raise _unkept(prefix, error) from error
            else:
                return name
        number += 1


def _unkept(prefix: str, error: Conflict) -> Unavailable:
    reason = error.details.get("reason", "locked")
    message = f"nothing can be kept below {prefix} ({reason}), so nothing was changed"
    return Unavailable(Code.STORAGE_UNAVAILABLE, message, details=error.details)


def numbered(repo: Repo, prefix: str) -> tuple[Ref, ...]:
    """The refs made by ``create_numbered``, newest first."""
    refs = [(found, ref) for ref in list_refs(repo, prefix) if (found := _NUMBERED.fullmatch(ref.name[len(prefix) :]))]
    return tuple(ref for _, ref in sorted(refs, key=lambda pair: (pair[0]["at"], int(pair[0]["n"])), reverse=True))


def made_at(ref: Ref) -> datetime:
    """When a numbered ref was made, from its name. Raises ``ValueError`` for another ref."""
    found = _NUMBERED.fullmatch(ref.name.rpartition("/")[2])
    if found is None:
        raise ValueError(ref.name)
    return datetime.strptime(found["at"], "%Y%m%dT%H%M%S%z")


def create_autosave(repo: Repo, commit: Oid, *, at: datetime | None = None) -> str:
    """Keep a commit under ``refs/gitmem/autosave/``; the ref's full name."""
    return create_numbered(repo, layout.AUTOSAVE_PREFIX, commit, at=at)


def autosaves(repo: Repo) -> tuple[Ref, ...]:
    """Every autosave, newest first: ``autosave/1`` is the first."""
    return numbered(repo, layout.AUTOSAVE_PREFIX)


def rescues(repo: Repo) -> tuple[Ref, ...]:
    """Every rescue, newest first."""
    return numbered(repo, layout.RESCUE_PREFIX)


# --- revisions --------------------------------------------------------------------------------------------------


def resolve(repo: Repo, spec: str) -> Oid:
    """The commit that git's syntax names (``HEAD~2``, a branch, a tag, an id or its start).

    Raises ``NotFound`` (``REVISION_NOT_FOUND``), also for what is no commit and for a range.
    """
    try:
        return Oid(str(repo.git.revparse_single(spec).peel(pygit2.Commit).id))
    except (pygit2.GitError, KeyError, ValueError) as error:
        raise no_revision(spec) from error


def no_revision(spec: str) -> NotFound:
    """The failure to find what names no commit."""
    message = f"there is no revision {spec!r}; `gitmem log` lists them"
    return NotFound(Code.REVISION_NOT_FOUND, message, details={"revision": spec})


def is_ancestor(repo: Repo, ancestor: Oid, descendant: Oid) -> bool:
    """Whether one commit is, or is in the history of, the other; ``False`` when either does not exist."""
    if ancestor == descendant:
        return repo.git.get(ancestor) is not None
    try:
        return repo.git.descendant_of(descendant, ancestor)
    except (pygit2.GitError, KeyError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Passed:
    """One commit of a walk; ``time`` is the committer's, Unix seconds."""

    oid: Oid
    tree: Oid
    parents: tuple[Oid, ...]
    time: int


def first_parents(repo: Repo, start: Oid) -> Iterator[Passed]:
    """The commit and its first parents, newest first; stops where a shallow history does.

    Raises ``Unavailable`` (``STORAGE_UNAVAILABLE``) where any other lacks a commit.
    """
    found: object = _commit(repo, start)
    while isinstance(found, pygit2.Commit):
        parents = tuple(Oid(str(parent)) for parent in found.parent_ids)
        yield Passed(Oid(str(found.id)), Oid(str(found.tree_id)), parents, found.commit_time)
        found = _commit(repo, parents[0]) if parents else None
        if found is None and parents and not repo.git.is_shallow:
            raise lost(parents[0], "commit")


def _commit(repo: Repo, oid: Oid) -> object:
    try:
        return repo.git.get(oid)
    except pygit2.GitError as error:
        raise lost(oid, "commit") from error
