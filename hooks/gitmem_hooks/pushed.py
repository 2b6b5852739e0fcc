"""What a push would do to the refs of a repository, as git tells ``pre-receive``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import ZERO_OID, Oid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BRANCHES, TAGS = "refs/heads/", "refs/tags/"
KEPT = ("refs/gitmem/sessions/", "refs/notes/gitmem/")
"""Conversations and marks: they may grow, and are not taken back by a push."""


@dataclass(frozen=True, slots=True)
class Update:
    """One ref that would move from ``old`` to ``new``; ``ZERO_OID`` stands for no ref."""

    old: Oid
    new: Oid
    ref: str

    @property
    def deletes(self) -> bool:
        """Whether the ref would go."""
        return self.new == ZERO_OID

    @property
    def creates(self) -> bool:
        """Whether there was no such ref."""
        return self.old == ZERO_OID

    @property
    def holds_memory(self) -> bool:
        """Whether the ref is one that names memory commits."""
        return self.ref.startswith((BRANCHES, TAGS))


def read_updates(lines: Iterable[str]) -> Iterator[Update]:
    """The updates of a push, from the lines ``old new ref``."""
    for line in lines:
        old, new, ref = line.rstrip("\n").split(" ", 2)
        yield Update(Oid(old), Oid(new), ref)
