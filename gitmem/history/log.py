"""The transactions of a branch, newest first (``cli.md``, ``log`` and ``show``)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from gitmem.edit.compose import block_id, names_path
from gitmem.errors import Code, NotFound
from gitmem.format.layout import TOPICS
from gitmem.format.trailers import parse_trailers
from gitmem.history.life import life
from gitmem.history.transactions import (
    AUTHORITY_TRAILER,
    WRITER_TRAILER,
    TransactionAnswer,
    describe,
    sides,
)
from gitmem.store.commits import read_commit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from gitmem.catalog.history import CatalogHistory, ChainLink
    from gitmem.ids import Oid
    from gitmem.memory import Memory
    from gitmem.store.commits import Commit

PAGE = 256
"""How many commits are asked for at a time where nobody knows how many will match."""

_ALL = 1 << 62


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which transactions are wanted; ``None`` does not filter.

    ``target`` is a PATH (a file or a folder) or a BLOCK; ``author`` is found in name or address, in any case;
    ``since`` and ``until`` compare the author's time.
    """

    limit: int = 20
    target: str | None = None
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


def log(memory: Memory, query: LogQuery) -> LogAnswer:
    """The newest transactions that match; every first-parent commit that is not a derive commit is one.

    Raises ``NotFound``: ``PATH_NOT_FOUND``, ``MEMORY_NOT_FOUND``.
    """
    history = memory.view.history
    found: list[TransactionAnswer] = []
    for link in _candidates(memory, history, query.target):
        commit = read_commit(memory.repo, link.commit)
        if commit is None or not all(test(commit) for test in _tests(query)):
            continue
        if len(found) == query.limit:
            return LogAnswer(memory.revision, truncated=True, transactions=tuple(found))
        found.append(describe(memory.repo, memory.facts, commit, history.derived(link)))
    return LogAnswer(memory.revision, truncated=False, transactions=tuple(found))


def show(memory: Memory, oid: Oid) -> ShowAnswer:
    """One transaction. Raises ``NotFound`` (``REVISION_NOT_FOUND``) when the id is no commit."""
    commit = read_commit(memory.repo, oid)
    if commit is None:
        raise NotFound(Code.REVISION_NOT_FOUND, f"there is no revision {oid}")
    history = memory.view.history
    link = history.find(oid)
    told = describe(memory.repo, memory.facts, commit, history.derived(link) if link is not None else None)
    before, after = sides(memory.repo, commit)
    files = tuple(change.path for change in after.changes(before))
    return ShowAnswer(**{field.name: getattr(told, field.name) for field in fields(told)}, files=files)


def _candidates(memory: Memory, history: CatalogHistory, target: str | None) -> Iterator[ChainLink]:
    if target is None:
        return _line(history)
    if names_path(target) or target in memory.snapshot.names(""):
        return iter(_touching(memory, history, target))
    return iter(_of_block(history, target))


def _line(history: CatalogHistory) -> Iterator[ChainLink]:
    until: ChainLink | None = None
    while page := history.commits(PAGE, until=until):
        yield from page
        until = replace(page[-1], seq=page[-1].seq - 1)


def _touching(memory: Memory, history: CatalogHistory, target: str) -> tuple[ChainLink, ...]:
    path = "/".join(step for step in target.split("/") if step not in {"", "."})
    for candidate in (path, f"{TOPICS}/{path}"):
        links = history.touching(candidate, _ALL)
        if links or any(memory.snapshot.entries(candidate)):
            return links
    message = f"nothing ever stood at {target}; `gitmem browse` lists what there is"
    raise NotFound(Code.PATH_NOT_FOUND, message, path=target)


def _of_block(history: CatalogHistory, target: str) -> list[ChainLink]:
    wanted = block_id(target)
    links = dict.fromkeys(happening.link for happening in life(history, wanted))
    if not links:
        message = f"the memory never held a block ^{wanted}; a file's name ends in .md"
        raise NotFound(Code.MEMORY_NOT_FOUND, message, details={"memory_id": wanted})
    return list(links)[::-1]


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
