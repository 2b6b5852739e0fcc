"""Where an interrupted write leaves its traces, and whether there are any: cheap enough to ask on every start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.store.repository import Repo

QUARANTINE_PREFIX = "quarantine-"
SIGNING_PREFIX = "signing-"


def needs_recovery(repo: Repo) -> bool:
    """Whether an interrupted write left something that should be finished first; costs three look-ups."""
    return journal_path(repo).exists() or new_index_path(repo).exists() or any(True for _ in abandoned(repo))


def journal_path(repo: Repo) -> Path:
    """Where this worktree's journal stands."""
    return repo.gitdir / "gitmem-projection"


def forget_journal_path(repo: Repo) -> Path:
    """Where the journal of an erasing stands that is not finished; others do not write meanwhile."""
    return repo.gitmem_dir / "forget" / "journal.json"


def refuse_while_forgetting(repo: Repo) -> None:
    """Raise ``Conflict`` (``REPOSITORY_BUSY``) while an erasing that was interrupted is not finished."""
    if forget_journal_path(repo).exists():
        message = "`gitmem forget` was interrupted, and refs may still move; `gitmem doctor` finishes it"
        raise Conflict(Code.REPOSITORY_BUSY, message)


def new_index_path(repo: Repo) -> Path:
    """Where the next index of this worktree is made."""
    name = repo.worktree_name
    return repo.gitmem_dir / ("index.new" if name is None else f"index-{name}.new")


def abandoned(repo: Repo) -> Iterator[Path]:
    """Folders of interrupted promotions; to be asked with the write lock held, without which nobody promotes."""
    return iter(sorted(repo.gitmem_dir.glob(f"{QUARANTINE_PREFIX}*")))
