"""The transactions of a branch, newest first (``cli.md``, ``log`` and ``show``)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING

from gitmem.errors import Code, NotFound
from gitmem.format.trailers import parse_trailers
from gitmem.history.transactions import (
    AUTHORITY_TRAILER,
    WRITER_TRAILER,
    TransactionAnswer,
    describe,
    sides,
)
from gitmem.store.commits import read_commit
from gitmem.store.refs import first_parents
from gitmem.store.revision import is_derive_commit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from gitmem.facts.base import Facts
    from gitmem.ids import Oid
    from gitmem.store.commits import Commit
    from gitmem.store.repository import Repo


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which transactions are wanted; ``None`` and empty fields do not filter.

    ``commits`` limits the answer to these (those that changed a block, from the catalogue); ``path`` is a file or a
    folder; ``author`` is found in name or address, in any case; ``since`` and ``until`` compare the author's time.
    """

    limit: int = 20
    path: str | None = None
    commits: frozenset[Oid] | None = None
    writer: str | None = None
    author: str | None = None
    authority: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class LogAnswer:
    """``truncated`` says that older transactions match too."""

    revision: str | None
    truncated: bool
    transactions: tuple[TransactionAnswer, ...]


@dataclass(frozen=True, slots=True)
class ShowAnswer(TransactionAnswer):
    """One transaction, and the files it changed."""

    files: tuple[str, ...] = ()


def log(repo: Repo, facts: Facts, tip: Oid, query: LogQuery) -> LogAnswer:
    """The newest transactions that match; every first-parent commit that is not a derive commit is one."""
    found: list[TransactionAnswer] = []
    revision: str | None = None
    for commit, derived in memory_commits(repo, tip):
        revision = revision or commit.oid
        if not _matches(repo, commit, query):
            continue
        if len(found) == query.limit:
            return LogAnswer(revision, truncated=True, transactions=tuple(found))
        found.append(describe(repo, facts, commit, derived))
    return LogAnswer(revision, truncated=False, transactions=tuple(found))


def show(repo: Repo, facts: Facts, oid: Oid, tip: Oid) -> ShowAnswer:
    """One transaction. Raises ``NotFound`` (``REVISION_NOT_FOUND``) when the id is no commit."""
    commit = read_commit(repo, oid)
    if commit is None:
        raise NotFound(Code.REVISION_NOT_FOUND, f"there is no revision {oid}")
    told = describe(repo, facts, commit, derived_from(repo, oid, tip))
    before, after = sides(repo, commit)
    files = tuple(change.path for change in after.changes(before))
    return ShowAnswer(**{field.name: getattr(told, field.name) for field in fields(told)}, files=files)


def memory_commits(repo: Repo, tip: Oid) -> Iterator[tuple[Commit, Oid | None]]:
    """Every memory commit of the first-parent line, newest first, with the derive commit on top of it, if any."""
    derived: Oid | None = None
    for passed in first_parents(repo, tip):
        if is_derive_commit(repo, passed.oid):
            derived = passed.oid
            continue
        commit = read_commit(repo, passed.oid)
        if commit is not None:
            yield commit, derived
        derived = None


def derived_from(repo: Repo, oid: Oid, tip: Oid) -> Oid | None:
    """The derive commit that stands on the commit on this branch."""
    line = (passed.oid for passed in first_parents(repo, tip))
    child = next((upper for upper, lower in pairwise(line) if lower == oid), None)
    return child if child is not None and is_derive_commit(repo, child) else None


def _matches(repo: Repo, commit: Commit, query: LogQuery) -> bool:
    if query.commits is not None and commit.oid not in query.commits:
        return False
    return all(test(commit) for test in _tests(query)) and (query.path is None or _touches(repo, commit, query.path))


def _tests(query: LogQuery) -> Iterator[Callable[[Commit], bool]]:
    if query.writer is not None:
        yield lambda commit: query.writer in parse_trailers(commit.message).get(WRITER_TRAILER, ())
    if query.authority is not None:
        yield lambda commit: query.authority in parse_trailers(commit.message).get(AUTHORITY_TRAILER, ())
    if query.author is not None:
        wanted = query.author.casefold()
        yield lambda commit: wanted in f"{commit.author.person.name} <{commit.author.person.email}>".casefold()
    if query.since is not None:
        since = query.since.timestamp()
        yield lambda commit: commit.author.time >= since
    if query.until is not None:
        until = query.until.timestamp()
        yield lambda commit: commit.author.time <= until


def _touches(repo: Repo, commit: Commit, path: str) -> bool:
    before, after = sides(repo, commit)
    return before.node(path.rstrip("/")) != after.node(path.rstrip("/"))
