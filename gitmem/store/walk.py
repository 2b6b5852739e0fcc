"""Walking all of a history, side branches of merges included."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import SortMode

from gitmem.ids import Oid
from gitmem.store.refs import Passed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.store.repository import Repo


def history(repo: Repo, tip: Oid, *without: Oid) -> Iterator[Passed]:
    """The commits that lead to a tip, each after its parents; ``without`` leaves out commits and what led to them.

    A shallow history begins at the commits that it was cut off above; they still name the parents that are missing.
    """
    walker = repo.git.walk(tip, SortMode.TOPOLOGICAL | SortMode.REVERSE)
    for oid in without:
        walker.hide(oid)
    for commit in walker:
        parents = tuple(Oid(str(parent)) for parent in commit.parent_ids)
        yield Passed(Oid(str(commit.id)), Oid(str(commit.tree_id)), parents, commit.commit_time)


def is_shallow(repo: Repo) -> bool:
    """Whether the history was cut off: what an early commit was based on is not here."""
    return bool(repo.git.is_shallow)


def is_here(repo: Repo, commit: Oid) -> bool:
    """Whether the repository has this commit."""
    return isinstance(repo.git.get(commit), pygit2.Commit)


def commit_of(repo: Repo, oid: Oid) -> Oid | None:
    """The commit that an object is, or that a tag of it names; ``None`` for anything else, and for nothing."""
    found: object = repo.git.get(oid)
    try:
        return Oid(str(found.peel(pygit2.Commit).id)) if isinstance(found, pygit2.Object) else None
    except pygit2.GitError:
        return None
