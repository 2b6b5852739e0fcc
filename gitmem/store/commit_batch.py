"""Many commits of the empty tree at once: a few as files of their own, more as one pack (``architecture.md`` 7)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pygit2.enums import ObjectType

from gitmem.ids import Oid
from gitmem.store.commits import GITMEM, Stamp
from gitmem.store.pack import COMMIT, TREE, PackWriter, object_id
from gitmem.store.snapshot import EMPTY_TREE, write_object

if TYPE_CHECKING:
    from gitmem.request import Person
    from gitmem.store.repository import Repo

WORTH_A_PACK = 100
"""From how many commits on they become a pack; git itself keeps fewer loose when it fetches them."""


class CommitBatch:
    """Commits that other readers find only after ``finish``; this one reads them at once. No ref moves."""

    def __init__(self, repo: Repo) -> None:
        """Start without commits; touches no file."""
        self._repo = repo
        self._few: dict[str, bytes] = {}
        self._pack: PackWriter | None = None

    def add(self, message: str, author: Stamp, parent: Oid | None) -> Oid:
        """Keep a commit of the empty tree; the committer is gitmem, at the author's time. Raises ``OSError``."""
        data = _commit(message, author, parent)
        oid = object_id(COMMIT, data)
        if self._pack is not None:
            self._pack.add(COMMIT, oid, data)
            return oid
        self._few[oid] = data
        if len(self._few) >= WORTH_A_PACK:
            self._pack = PackWriter(self._repo.common_dir / "objects" / "pack")
            self._pack.add(TREE, EMPTY_TREE, b"")
            for known, content in self._few.items():
                self._pack.add(COMMIT, Oid(known), content)
            self._few.clear()
        return oid

    def message(self, oid: Oid) -> str | None:
        """The message of a commit of this batch; ``None`` for another."""
        data = self._read(oid)
        return None if data is None else data.partition(b"\n\n")[2].decode()

    def parent(self, oid: Oid) -> Oid | None:
        """The parent of a commit of this batch; ``None`` for a root, and for another's commit."""
        head = (self._read(oid) or b"").partition(b"\n\n")[0]
        return next((Oid(line[7:].decode()) for line in head.split(b"\n") if line.startswith(b"parent ")), None)

    def finish(self) -> None:
        """Make the commits objects of the repository; the caller flushes them. Raises ``OSError``."""
        if self._pack is not None:
            self._pack.close()
        elif self._few:
            write_object(self._repo, ObjectType.TREE, b"")
            for data in self._few.values():
                write_object(self._repo, ObjectType.COMMIT, data)

    def discard(self) -> None:
        """Forget the commits."""
        self._few.clear()
        if self._pack is not None:
            self._pack.discard()

    def _read(self, oid: Oid) -> bytes | None:
        return self._few.get(oid) if self._pack is None else self._pack.read(oid)


def _commit(message: str, author: Stamp, parent: Oid | None) -> bytes:
    committer = Stamp(GITMEM, author.time, author.offset)
    lines = [f"tree {EMPTY_TREE}", *([f"parent {parent}"] if parent else [])]
    lines += [f"author {_signed(author)}", f"committer {_signed(committer)}", "", message]
    return "\n".join(lines).encode()


def _signed(stamp: Stamp) -> str:
    """The line as git writes it, with the name that ``Stamp.signature`` gives."""
    hours, minutes = divmod(abs(stamp.offset), 60)
    return f"{_who(stamp.person)} {stamp.time} {'-' if stamp.offset < 0 else '+'}{hours:02}{minutes:02}"


@lru_cache(maxsize=1024)
def _who(person: Person) -> str:
    who = Stamp(person, 0).signature()
    return f"{who.name} <{who.email}>"
