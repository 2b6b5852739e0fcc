"""Commit objects, made without moving any ref: no hook runs, no user setting reaches them.

They are signed where the caller says so (``gitmem.sign``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import ObjectType

from gitmem.ids import Oid
from gitmem.request import Person
from gitmem.store.housekeeping import firmly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from gitmem.store.repository import Repo

    Sign = Callable[[bytes], str]
    """The bytes of a commit -> its signature, or a failure and no commit."""

GITMEM = Person("gitmem", "gitmem@localhost")
"""The committer of everything gitmem writes (``architecture.md`` section 3)."""

_UNFIT = re.compile(r"[<>\n\0]")


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who and when: ``time`` in Unix seconds, ``offset`` in minutes east of UTC."""

    person: Person
    time: int
    offset: int = 0

    @classmethod
    def at(cls, person: Person, moment: datetime) -> Stamp:
        """The stamp of an aware moment."""
        offset = moment.utcoffset()
        return cls(person, int(moment.timestamp()), 0 if offset is None else int(offset.total_seconds()) // 60)

    def signature(self) -> pygit2.Signature:
        """The form that git writes; characters it cannot hold are dropped, an empty name becomes ``unknown``."""
        name = _UNFIT.sub("", self.person.name).strip() or "unknown"
        email = _UNFIT.sub("", self.person.email).strip() or "unknown"
        return pygit2.Signature(name, email, self.time, self.offset, "utf-8")


@dataclass(frozen=True, slots=True)
class Commit:
    """What a commit says; ``tree`` and ``parents`` are ids of objects that exist."""

    oid: Oid
    tree: Oid
    parents: tuple[Oid, ...]
    author: Stamp
    committer: Stamp
    message: str


def create_commit(  # noqa: PLR0913 - a commit has that many parts
    repo: Repo,
    *,
    tree: Oid,
    parents: Sequence[Oid],
    message: str,
    author: Stamp,
    committer: Stamp | None = None,
    sign: Sign | None = None,
) -> Oid:
    """Write a commit object; the committer is gitmem, at the author's time, unless given. No ref moves.

    Pass a quarantine's ``repo`` to keep it there until it is published. Raises what ``sign`` does.
    """
    by = (committer or Stamp(GITMEM, author.time, author.offset)).signature()
    if sign is None:
        made = firmly(
            lambda: repo.git.create_commit(None, author.signature(), by, message, tree, list(parents)),
        )
    else:
        made_by = author.signature(), by
        content = str(repo.git.create_commit_string(*made_by, message, tree, list(parents)))  # its stub says Oid
        signature = sign(content.encode())
        made = firmly(lambda: repo.git.create_commit_with_signature(content, signature))
    return Oid(str(made))


def read_commit(repo: Repo, oid: Oid) -> Commit | None:
    """The commit of this id; ``None`` when there is none, or the object is not a commit."""
    found: object = repo.git.get(oid)
    if not isinstance(found, pygit2.Commit):
        return None
    return Commit(
        oid=Oid(str(found.id)),
        tree=Oid(str(found.tree_id)),
        parents=tuple(Oid(str(parent)) for parent in found.parent_ids),
        author=_stamp(found.author),
        committer=_stamp(found.committer),
        message=found.raw_message.decode("utf-8", "replace"),
    )


def read_message(repo: Repo, oid: Oid) -> str | None:
    """The message of a commit alone, in half the time; ``None`` as from ``read_commit``."""
    try:
        kind, data = repo.git.read(oid)
    except KeyError:
        return None
    return data.partition(b"\n\n")[2].decode("utf-8", "replace") if kind == ObjectType.COMMIT else None


def is_signed(repo: Repo, oid: Oid) -> bool:
    """Whether a commit carries a signature, whatever it is worth."""
    try:
        kind, data = repo.git.read(oid)
    except KeyError:
        return False
    return kind == ObjectType.COMMIT and b"\ngpgsig " in data.partition(b"\n\n")[0]


def _stamp(signature: pygit2.Signature) -> Stamp:
    person = Person(signature.raw_name.decode("utf-8", "replace"), signature.raw_email.decode("utf-8", "replace"))
    return Stamp(person, signature.time, signature.offset)
