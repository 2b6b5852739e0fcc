"""What was kept before something destructive, or of text that was never committed (``cli.md``, ``autosave``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.history.revisions import memory_commit_of
from gitmem.history.transactions import subject
from gitmem.store import refs
from gitmem.store.commits import read_commit

if TYPE_CHECKING:
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


def list_autosaves(repo: Repo) -> AutosavesAnswer:
    """Every autosave, newest first."""
    kept = enumerate(refs.autosaves(repo), 1)
    return AutosavesAnswer(tuple(_answer(repo, number, ref) for number, ref in kept))


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
