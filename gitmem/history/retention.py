"""How long autosaves are kept (``gitmem.autosave.keepDays`` and ``keepCount``; ``architecture.md`` section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from gitmem.history.autosaves import AutosaveAnswer, autosave_answer
from gitmem.store import refs
from gitmem.store.lock import write_lock

if TYPE_CHECKING:
    from datetime import datetime

    from gitmem.store.repository import Repo


@dataclass(frozen=True, slots=True)
class Retention:
    """An autosave is kept while it is no older than ``days``, or among the newest ``count``; either is enough."""

    days: int
    count: int


@dataclass(frozen=True, slots=True)
class PrunedAnswer:
    """The autosaves that were removed (in a dry run: would be), newest first, and how many are left."""

    dry_run: bool
    removed: tuple[AutosaveAnswer, ...]
    kept: int


def prune_autosaves(
    repo: Repo, retention: Retention, now: datetime, *, lock_timeout: float, dry_run: bool = False
) -> PrunedAnswer:
    """Remove the autosaves that are older than ``days`` and not among the newest ``count``.

    Their text stays in the repository until ``gitmem maintain`` prunes what nothing names. Raises ``Conflict`` when
    the lock is held.
    """
    with write_lock(repo, lock_timeout):
        there = refs.autosaves(repo)
        expired = [
            (number, ref)
            for number, ref in enumerate(there, 1)
            if number > retention.count and now - refs.made_at(ref) > timedelta(days=retention.days)
        ]
        removed = tuple(autosave_answer(repo, number, ref) for number, ref in expired)
        if not dry_run:
            refs.move_refs(repo, [refs.RefMove(ref.name, ref.oid, None) for _, ref in expired])
    return PrunedAnswer(dry_run, removed, len(there) - len(expired))
