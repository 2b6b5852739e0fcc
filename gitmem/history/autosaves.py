"""What was kept before something destructive, or of text that was never committed (``cli.md``, ``autosave``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.format.text import one_line
from gitmem.history.revisions import memory_commit_of
from gitmem.history.transactions import subject
from gitmem.store import refs
from gitmem.store.commits import create_commit, read_commit
from gitmem.store.durability import flush_filesystem
from gitmem.store.indexed import WorkdirTree
from gitmem.store.lock import write_lock
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from gitmem.ids import Oid
    from gitmem.memory import Memory
    from gitmem.store.commits import Stamp
    from gitmem.store.repository import Repo


@dataclass(frozen=True, slots=True)
class AutosaveAnswer:
    """One autosave: ``name`` is what commands take (``autosave/1`` is the newest), ``ref`` what git takes.

    ``at`` is when it was made, ``revision`` the memory that it holds, and ``subject`` that revision's.
    """

    name: str
    ref: str
    at: str
    revision: str
    subject: str


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

    When the newest autosave holds exactly that, it is named again. Raises ``InvalidRequest`` in a bare workspace, and
    ``Conflict`` when the lock is held.
    """
    repo = memory.repo
    with write_lock(repo, lock_timeout):
        staging = _uncommitted(memory)
        if not staging.laid:
            return SavedAnswer(None)
        tree = staging.build()
        newest = next(iter(refs.autosaves(repo)), None)
        known = read_commit(repo, newest.oid) if newest is not None else None
        if known is None or known.tree != tree:
            _keep(memory, tree, staging.laid, author)
    return SavedAnswer(list_autosaves(repo).autosaves[0])


def list_autosaves(repo: Repo) -> AutosavesAnswer:
    """Every autosave, newest first."""
    kept = enumerate(refs.autosaves(repo), 1)
    return AutosavesAnswer(tuple(_answer(repo, number, ref) for number, ref in kept))


def _uncommitted(memory: Memory) -> Staging:
    if memory.repo.is_bare:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "this workspace is bare: nothing in it is uncommitted")
    staging = Staging(memory.repo, memory.snapshot)
    found = WorkdirTree(memory.repo, memory.snapshot)
    for change in found.changes(memory.snapshot):
        if change.new is None:
            staging.delete(change.path)
        else:
            staging.lay(change.path, found.read(change.path), change.new.mode)
    return staging


def _keep(memory: Memory, tree: Oid, paths: tuple[str, ...], author: Stamp) -> None:
    message = "autosave: text that is not committed\n\n" + "".join(f"{one_line(path)}\n" for path in paths)
    commit = create_commit(memory.repo, tree=tree, parents=(memory.commit,), message=message, author=author)
    if memory.repo.fsync:
        flush_filesystem(memory.repo.common_dir / "objects")
    refs.create_autosave(memory.repo, commit)


def _answer(repo: Repo, number: int, ref: refs.Ref) -> AutosaveAnswer:
    revision = memory_commit_of(repo, ref.oid)
    commit = read_commit(repo, revision)
    return AutosaveAnswer(
        name=f"autosave/{number}",
        ref=ref.name,
        at=refs.made_at(ref).isoformat(),
        revision=revision,
        subject=subject(commit) if commit is not None else "",
    )
