"""Objects as git keeps them, byte for byte: for rewriting a history, and for proving what is not in one."""

from __future__ import annotations

import hashlib
import re
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import pygit2
from pygit2.enums import SortMode

from gitmem.ids import Oid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.store.repository import Repo

_ITEM = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL)


class Kind(IntEnum):
    """What an object is; the numbers are git's."""

    COMMIT = 1
    TREE = 2
    BLOB = 3
    TAG = 4


class Raw(NamedTuple):
    """One object: what it is, and its bytes."""

    kind: Kind
    data: bytes


class Item(NamedTuple):
    """One entry of a tree object; ``oid`` is the id's 20 bytes."""

    mode: bytes
    name: bytes
    oid: bytes


TREE_MODE = b"40000"
"""The mode of a folder, as a tree object spells it."""


def read_raw(repo: Repo, oid: str) -> Raw | None:
    """The object of this id; ``None`` when there is none."""
    try:
        kind, data = repo.git.read(oid)
    except KeyError:
        return None
    return Raw(Kind(int(kind)), data)


def write_raw(repo: Repo, kind: Kind, data: bytes) -> Oid:
    """Write an object; its id. One that is there already is not written again."""
    return Oid(str(repo.git.odb.write(int(kind), data)))


def raw_id(kind: Kind, data: bytes) -> Oid:
    """The id that an object would have."""
    head = b"%b %d\0" % (kind.name.lower().encode(), len(data))
    return Oid(hashlib.sha1(head + data, usedforsecurity=False).hexdigest())


def tree_items(data: bytes) -> list[Item]:
    """The entries of a tree object."""
    return [Item(*found) for found in _ITEM.findall(data)]


def tree_bytes(items: Iterable[Item]) -> bytes:
    """A tree object of entries that are in git's order."""
    return b"".join(b"%b %b\0%b" % item for item in items)


def every_object(repo: Repo) -> Iterator[Oid]:
    """The id of every object there is, loose or packed, reachable or not; some may come twice."""
    return (Oid(str(oid)) for oid in repo.git.odb)


def every_commit(repo: Repo, tips: Iterable[str]) -> Iterator[Oid]:
    """Every commit that leads to the tips, each after its parents."""
    walker = repo.git.walk(None, SortMode.TOPOLOGICAL | SortMode.REVERSE)
    for tip in tips:
        walker.push(tip)
    return (Oid(str(commit.id)) for commit in walker)


def peeled_commit(repo: Repo, oid: str) -> Oid | None:
    """The commit that an object is or, as a tag, leads to."""
    try:
        return Oid(str(repo.git[oid].peel(pygit2.Commit).id))
    except (KeyError, pygit2.GitError, ValueError):
        return None
