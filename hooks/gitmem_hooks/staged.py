"""What git is about to commit, compared with what it is committed on."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import Oid
from gitmem.store.head import read_head
from gitmem.store.indexed import staged_tree
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.store.repository import Repo
    from gitmem.store.tree import Change, Tree

_MERGED = re.compile(r"GITHEAD_([0-9a-f]{40})")


@dataclass(frozen=True)
class Staged:
    """The tree before, the tree to be, and the paths that differ."""

    before: Snapshot
    after: Tree
    changes: tuple[Change, ...]


def read_staged(repo: Repo, index: Path | None) -> Staged:
    """Compare the index (``None``: the worktree's own) with HEAD. Raises ``Unavailable`` for one that is damaged."""
    before = Snapshot.at(repo, read_head(repo).tip)
    after = staged_tree(repo, before, index)
    return Staged(before, after, after.changes(before))


def merged_commits(repo: Repo) -> tuple[Oid, ...]:
    """The other parents of the merge that the commit concludes; until ``MERGE_HEAD`` exists, variables name them."""
    try:
        return tuple(Oid(line) for line in (repo.gitdir / "MERGE_HEAD").read_text("ascii").split())
    except FileNotFoundError:
        found = (_MERGED.fullmatch(name) for name in os.environ)
        return tuple(Oid(match[1]) for match in found if match)
