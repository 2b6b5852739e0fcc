"""Which commit a REV means (``cli.md``): whatever git accepts, else ``autosave/N``, else a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitmem.dates import period
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.layout import GITMEM
from gitmem.format.model import Tier
from gitmem.ids import Oid
from gitmem.store import refs
from gitmem.store.head import read_head
from gitmem.store.revision import revision_of
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.dates import Period
    from gitmem.store.refs import Passed
    from gitmem.store.repository import Repo

_AUTOSAVE = re.compile(r"autosave/([1-9][0-9]{0,5})", re.ASCII)

_BY_WORDS = re.compile(r":/|\{/")
"""Where git looks for a commit by the words of its message."""


def resolve_revision(repo: Repo, text: str, *, now: datetime, reader: Tier | None = Tier.OWNER) -> Oid:
    """The commit that a text names; for a date the last one of the current branch by the end of that local day.

    ``autosave/1`` is the newest autosave. The commit may be one with derived views: ``memory_commit_of`` gives the
    memory commit that it stands for. For a ``reader`` who is not the owner only the history of the current branch
    exists, and nothing is found by the words of a message. Raises ``NotFound`` (``REVISION_NOT_FOUND``).
    """
    if reader is not Tier.OWNER:
        return _in_sight(repo, text, now)
    try:
        return refs.resolve(repo, text)
    except NotFound as unknown:
        found = _AUTOSAVE.fullmatch(text)
        if found is not None:
            return _autosave(repo, int(found[1]))
        day = period(text, now)
        if day is None:
            raise NotFound(Code.REVISION_NOT_FOUND, unknown.message, details=unknown.details) from unknown
        return _by_the_end_of(repo, day, text)


def _in_sight(repo: Repo, text: str, now: datetime) -> Oid:
    """The commit of the current history that a text names; any other fails as if there were none."""
    if _BY_WORDS.search(text):
        raise refs.no_revision(text)
    try:
        found = refs.resolve(repo, text)
    except NotFound:
        day = period(text, now)
        if day is None:
            raise
        return _by_the_end_of(repo, day, text)
    if not refs.is_ancestor(repo, found, read_head(repo).tip):
        raise refs.no_revision(text)
    return found


def memory_commit_of(repo: Repo, commit: Oid) -> Oid:
    """The memory commit that a commit stands for: itself, or the one whose views it holds."""
    return Oid(revision_of(repo, commit))


def memory_named(repo: Repo, text: str, *, now: datetime, reader: Tier | None = Tier.OWNER) -> Oid:
    """The memory commit that a text names. Raises ``NotFound`` also for a commit that is not of a memory."""
    commit = memory_commit_of(repo, resolve_revision(repo, text, now=now, reader=reader))
    if Snapshot.at(repo, commit).entry(GITMEM) is None:
        message = f"{text} is a commit ({commit[:12]}), but it holds no memory; `gitmem log` lists revisions"
        raise NotFound(Code.REVISION_NOT_FOUND, message, details={"revision": text})
    return commit


def since_moment(text: str, now: datetime) -> datetime:
    """Where the time that ``--since`` names begins. Raises ``InvalidRequest``."""
    return _period(text, now).start


def until_moment(text: str, now: datetime) -> datetime:
    """Where the time that ``--until`` names ends. Raises ``InvalidRequest``."""
    return _period(text, now).end


def _period(text: str, now: datetime) -> Period:
    found = period(text, now)
    if found is None:
        message = f"{text!r} is no time; write 2026-08-09, 'yesterday' or '3 days ago'"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return found


def _autosave(repo: Repo, number: int) -> Oid:
    kept = refs.autosaves(repo)
    if number > len(kept):
        message = f"there is no autosave/{number}, only {len(kept)} of them; `gitmem autosave list` shows them"
        raise NotFound(Code.REVISION_NOT_FOUND, message, details={"revision": f"autosave/{number}"})
    return refs.resolve(repo, kept[number - 1].oid)


def _begins(first: Passed | None, day: Period) -> str:
    """When the memory begins, by the clock that the day was asked for."""
    if first is None:
        return "the memory is empty"
    moment = datetime.fromtimestamp(first.time, UTC).astimezone(day.end.tzinfo)
    return f"the memory begins {moment:%Y-%m-%d %H:%M}"


def _by_the_end_of(repo: Repo, day: Period, text: str) -> Oid:
    """The newest commit of the branch's first-parent line that was made by then."""
    end, first = day.end.timestamp(), None
    for first in refs.first_parents(repo, read_head(repo).tip):
        if first.time <= end:
            return first.oid
    named = text if text == str(day.end.date()) else f"{text} ({day.end.date()})"
    message = f"there is no revision by {named}: {_begins(first, day)}; `gitmem log` lists revisions"
    raise NotFound(Code.REVISION_NOT_FOUND, message, details={"revision": text})
