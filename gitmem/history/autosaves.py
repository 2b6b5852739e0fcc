"""What was kept before something destructive, or of text that was never committed (``cli.md``, ``autosave``)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.history.revisions import memory_commit_of
from gitmem.history.transactions import subject
from gitmem.store import refs
from gitmem.store.commits import read_commit
from gitmem.store.indexed import WorkdirTree
from gitmem.store.kept_text import Typed, holds_text, keep_text
from gitmem.store.lock import write_lock

if TYPE_CHECKING:
    from collections.abc import Collection

    from gitmem.memory import Memory
    from gitmem.store.commits import Stamp
    from gitmem.store.repository import Repo


class Kept(StrEnum):
    """What an autosave is of."""

    MEMORY = "memory"  # the state before something destructive
    TEXT = "text"  # text of the working directory that was not committed


@dataclass(frozen=True, slots=True)
class AutosaveAnswer:
    """One autosave: ``name`` is what commands take (``autosave/1`` is the newest), ``ref`` what git takes.

    ``at`` is when it was made, ``revision`` the memory that it holds, and ``subject`` that revision's. An autosave of
    text is a commit of its own, on the memory that the text was typed over.
    """

    name: str
    ref: str
    at: str
    revision: str
    subject: str
    kind: Kept


@dataclass(frozen=True, slots=True)
class AutosavesAnswer:
    """Every autosave, newest first."""

    autosaves: tuple[AutosaveAnswer, ...]


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    """What ``save`` kept; ``None`` when everything in the working directory is committed."""

    saved: AutosaveAnswer | None


def save_autosave(memory: Memory, author: Stamp, *, lock_timeout: float) -> SavedAnswer:
    """Keep what the working directory holds beyond the current memory, to the byte; it and the index stay as they are.

    When the newest autosave of text holds exactly that, it is named again. Raises ``InvalidRequest`` in a bare
    workspace, ``Conflict`` when the lock is held, and ``Unavailable`` when refs cannot be written.
    """
    with write_lock(memory.repo, lock_timeout):
        if not uncommitted(memory):
            return SavedAnswer(None)
        return SavedAnswer(keep_uncommitted(memory, author))


def list_autosaves(repo: Repo) -> AutosavesAnswer:
    """Every autosave, newest first."""
    return AutosavesAnswer(
        tuple(autosave_answer(repo, number, ref) for number, ref in enumerate(refs.autosaves(repo), 1))
    )


def keep_uncommitted(memory: Memory, author: Stamp, also: Collection[str] = ()) -> AutosaveAnswer:
    """Keep all uncommitted text, and that ``also`` these paths are as they are; with the write lock held."""
    name = keep_text(memory.repo, memory.whole(), uncommitted(memory), author=author, also=also)
    return autosave_called(memory.repo, name)


def autosave_called(repo: Repo, name: str) -> AutosaveAnswer:
    """The autosave whose ref has this full name, which is there, with the number that it has now."""
    number, ref = next((number, ref) for number, ref in enumerate(refs.autosaves(repo), 1) if ref.name == name)
    return autosave_answer(repo, number, ref)


def uncommitted(memory: Memory) -> dict[str, Typed]:
    """What the working directory holds beyond the memory. Raises ``InvalidRequest`` where there is none."""
    if memory.repo.is_bare:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "this workspace is bare: nothing in it is uncommitted")
    found = WorkdirTree(memory.repo, memory.whole())
    return {
        change.path: Typed(None, 0) if change.new is None else Typed(found.read(change.path), change.new.mode)
        for change in found.changes(memory.snapshot)
    }


def autosave_answer(repo: Repo, number: int, ref: refs.Ref) -> AutosaveAnswer:
    """Tell one autosave; ``number`` counts from 1, the newest."""
    kept = read_commit(repo, ref.oid)
    is_text = kept is not None and holds_text(kept)
    revision = ref.oid if is_text else memory_commit_of(repo, ref.oid)
    commit = kept if is_text else read_commit(repo, revision)
    return AutosaveAnswer(
        name=f"autosave/{number}",
        ref=ref.name,
        at=refs.made_at(ref).isoformat(),
        revision=revision,
        subject=subject(commit) if commit is not None else "",
        kind=Kept.TEXT if is_text else Kept.MEMORY,
    )


def autosave_numbered(repo: Repo, number: int) -> AutosaveAnswer:
    """One autosave, 1 the newest. Raises ``NotFound`` (``REVISION_NOT_FOUND``)."""
    kept = refs.autosaves(repo)
    if not 1 <= number <= len(kept):
        message = f"there is no autosave/{number}, only {len(kept)} of them; `gitmem autosave list` shows them"
        raise NotFound(Code.REVISION_NOT_FOUND, message, details={"revision": f"autosave/{number}"})
    return autosave_answer(repo, number, kept[number - 1])
