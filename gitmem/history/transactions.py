"""One transaction as it is told: its commit, who made it, and the claims it changed (``T`` in ``cli.md``)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer, claims_answer
from gitmem.facts.difference import claims_between, records_between
from gitmem.format.trailers import parse_trailers
from gitmem.ids import ZERO_OID
from gitmem.store.commits import read_commit
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem.ids import Oid
    from gitmem.store.commits import Commit, Stamp
    from gitmem.store.repository import Repo

WRITER_TRAILER = "Gitmem-Writer"
AUTHORITY_TRAILER = "Gitmem-Authority"


@dataclass(frozen=True, slots=True)
class AuthorAnswer:
    """The author of a commit."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class TransactionAnswer:
    """``T``: ``writer`` and ``authority`` come from the trailers, ``None`` for a commit made by plain git.

    ``at`` is the author's time in ISO form with its offset; ``derived_commit`` the commit with the views, if any.
    """

    revision: str
    derived_commit: str | None
    parents: tuple[str, ...]
    at: str
    author: AuthorAnswer
    writer: str | None
    authority: str | None
    subject: str
    claims: ClaimsAnswer
    sources_added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """The short form of a commit: what a version or a record says about where it comes from."""

    revision: str
    at: str
    author: str
    writer: str | None
    subject: str


def describe(repo: Repo, facts: Facts, commit: Commit, derived: Oid | None) -> TransactionAnswer:
    """Tell one memory commit against its first parent."""
    before, after = sides(repo, commit)
    changes = after.changes(before)
    trailers = parse_trailers(commit.message)
    return TransactionAnswer(
        revision=commit.oid,
        derived_commit=derived,
        parents=commit.parents,
        at=moment(commit.author),
        author=AuthorAnswer(commit.author.person.name, commit.author.person.email),
        writer=_first(trailers, WRITER_TRAILER),
        authority=_first(trailers, AUTHORITY_TRAILER),
        subject=subject(commit),
        claims=claims_answer(facts, claims_between(before, after, changes)),
        sources_added=tuple(record.handle for record in records_between(before, after, changes)),
    )


def origin(commit: Commit) -> Origin:
    """The short form of a commit."""
    writer = _first(parse_trailers(commit.message), WRITER_TRAILER)
    return Origin(commit.oid, moment(commit.author), commit.author.person.name, writer, subject(commit))


def origin_of(repo: Repo, oid: Oid) -> Origin | None:
    """The short form of the commit with this id; ``None`` when there is none (a shallow history)."""
    commit = read_commit(repo, oid)
    return None if commit is None else origin(commit)


def sides(repo: Repo, commit: Commit) -> tuple[Snapshot, Snapshot]:
    """The memory before and after a commit; before a root, or one whose parent is not here, there was none."""
    here = bool(commit.parents) and read_commit(repo, commit.parents[0]) is not None
    return Snapshot.at(repo, commit.parents[0] if here else ZERO_OID), Snapshot.at(repo, commit.oid)


def moment(stamp: Stamp) -> str:
    """A commit's time in ISO form, with the offset that it was made in; one that no calendar has is 1970."""
    try:
        return datetime.fromtimestamp(stamp.time, timezone(timedelta(minutes=stamp.offset))).isoformat()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC).isoformat()


def subject(commit: Commit) -> str:
    """The first line of the message."""
    return commit.message.partition("\n")[0]


def _first(trailers: dict[str, tuple[str, ...]], name: str) -> str | None:
    values = trailers.get(name, ())
    return values[0] if values else None
