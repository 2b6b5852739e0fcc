"""Keeping a memory small and quick: packing, expiring, and when that is due (``cli.md``, ``maintain``)."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict
from gitmem.history.retention import prune_autosaves
from gitmem.runtime.actions import ActionAnswer
from gitmem.runtime.events_log import EventsLog
from gitmem.store.git_program import run_git
from gitmem.store.maintenance import count_loose, count_packs, pack_objects
from gitmem.writer.proposals import KeptProposals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from gitmem.history.retention import Retention
    from gitmem.store.repository import Repo

LOCK = "maintain.lock"
LOG = "maintain.log"

REST_SECONDS = 600.0
"""How long after one begin in the background there is no other: what could not be packed is not tried at each write."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """How objects are kept: in files of their own, with their bytes, and in how many packs."""

    loose: int
    loose_bytes: int
    packs: int


@dataclass(frozen=True, slots=True)
class MaintainAnswer:
    """What was done, and how objects were kept ``before`` and are ``after``."""

    ok: bool
    actions: tuple[ActionAnswer, ...]
    before: StoredAnswer
    after: StoredAnswer


def maintain(
    repo: Repo, retention: Retention, environment: Mapping[str, str], now: datetime, *, lock_timeout: float
) -> MaintainAnswer:
    """Expire autosaves, proposals and events, then pack; others may write meanwhile.

    Raises ``Conflict`` (``CONCURRENT_UPDATE``) when it is under way in another process, and ``Unavailable``
    (``GIT_UNAVAILABLE``) without git, or when its housekeeping fails; what expired is gone then.
    """
    run_git(repo.path, ["version"], environment)  # without git, nothing at all is done
    with _alone(repo):
        before = _stored(repo)
        actions = list(_expired(repo, retention, now, lock_timeout))
        pack_objects(repo, environment)
        after = _stored(repo)
        packed = f"{before.loose:,} loose objects became {after.loose:,}, {before.packs:,} packs {after.packs:,}"
        actions.append(ActionAnswer("packed", "objects and refs", packed))
        actions.append(ActionAnswer("wrote", "commit-graph", "which paths each commit changed"))
    return MaintainAnswer(ok=True, actions=tuple(actions), before=before, after=after)


def rests(repo: Repo) -> bool:
    """Whether it was begun so lately that it should not be begun again by itself."""
    try:
        begun = (repo.gitmem_dir / LOCK).stat().st_mtime
    except FileNotFoundError:
        return False
    return 0 <= time.time() - begun < REST_SECONDS


@contextmanager
def _alone(repo: Repo) -> Iterator[None]:
    """Let one process do it; the file's time says when it began."""
    import filelock  # noqa: PLC0415  (whoever only asks what is due takes no lock)

    path = repo.gitmem_dir / LOCK
    lock = filelock.FileLock(path, mode=0o600, fallback_to_soft=False)
    try:
        held = lock.acquire(timeout=0)
    except filelock.Timeout as error:
        message = "another process maintains this memory just now; nothing is to be done"
        raise Conflict(Code.CONCURRENT_UPDATE, message) from error
    with held:
        begin(repo)
        yield


def begin(repo: Repo) -> None:
    """Note that it begins now, so that nobody else begins it."""
    (repo.gitmem_dir / LOCK).touch(0o600)


def _expired(repo: Repo, retention: Retention, now: datetime, lock_timeout: float) -> Iterator[ActionAnswer]:
    pruned = prune_autosaves(repo, retention, now, lock_timeout=lock_timeout)
    for gone in pruned.removed:
        yield ActionAnswer("expired", gone.ref, f"older than {retention.days} days, and {pruned.kept} newer are kept")
    for name in KeptProposals(repo.gitmem_dir).expire(now.timestamp()):
        yield ActionAnswer("expired", name, "a proposal that nobody asked for again")
    if EventsLog(repo.gitmem_dir).trim(now):
        yield ActionAnswer("cut", "events.jsonl", "to the events of 90 days")


def _stored(repo: Repo) -> StoredAnswer:
    loose = count_loose(repo)
    return StoredAnswer(loose.objects, loose.bytes, count_packs(repo))
