"""Everything from which a commit can be reached: refs, HEADs, what worktrees keep for themselves, the stash's log."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gitmem.ids import ZERO_OID, Oid
from gitmem.store.raw import peeled_commit
from gitmem.store.refs import list_refs
from gitmem.store.worktrees import detached_head, own_refs, worktrees

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.store.refs import Ref
    from gitmem.store.repository import Repo
    from gitmem.store.worktrees import Worktree

NOTES = "refs/notes/"
STASH = "refs/stash"


class OwnRef(NamedTuple):
    """A ref that a linked worktree has for itself, or its detached HEAD: the file, and the commit it names."""

    file: Path
    oid: Oid


class StashLine(NamedTuple):
    """One line of the stash's log: ids before and after, and the rest of it, who, when and what."""

    old: Oid
    new: Oid
    rest: str


@dataclass(frozen=True, slots=True)
class Tips:
    """Where every history ends: ``refs`` and ``notes`` are shared, ``own`` stand in files of one worktree each."""

    refs: tuple[Ref, ...]
    notes: tuple[Ref, ...]
    own: tuple[OwnRef, ...]
    stash: tuple[StashLine, ...]
    worktrees: tuple[Worktree, ...]

    def commits(self, repo: Repo) -> Iterator[Oid]:
        """The commits they name, those of the notes left out; tags are followed, and what is no commit is not."""
        named = [ref.oid for ref in self.refs] + [own.oid for own in self.own]
        named += [oid for line in self.stash for oid in (line.old, line.new) if oid != ZERO_OID]
        for oid in dict.fromkeys(named):
            found = peeled_commit(repo, oid)
            if found is not None:
                yield found


def read_tips(repo: Repo) -> Tips:
    """Read them all from the disk."""
    trees = tuple(worktrees(repo))
    own = [OwnRef(tree.gitdir / ref.name, ref.oid) for tree in trees for ref in own_refs(tree)]
    heads = ((tree.gitdir / "HEAD", detached_head(tree)) for tree in trees)
    own += [OwnRef(file, oid) for file, oid in heads if oid is not None]
    refs = list_refs(repo, "refs/")
    return Tips(
        refs=tuple(ref for ref in refs if not ref.name.startswith(NOTES)),
        notes=tuple(ref for ref in refs if ref.name.startswith(NOTES)),
        own=tuple(own),
        stash=tuple(_stash(repo.common_dir / "logs" / STASH)),
        worktrees=trees,
    )


def _stash(log: Path) -> Iterator[StashLine]:
    with contextlib.suppress(FileNotFoundError):
        for line in log.read_text("utf-8", "surrogateescape").split("\n"):
            old, _, rest = line.partition(" ")
            new, _, rest = rest.partition(" ")
            if rest:
                yield StashLine(Oid(old), Oid(new), rest)
