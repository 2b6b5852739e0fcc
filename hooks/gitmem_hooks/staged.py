"""What git is about to commit, compared with what it is committed on."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import Oid
from gitmem_hooks.plumbed_tree import PlumbedTree
from gitmem_hooks.plumbing import EMPTY_TREE, Plumbing, require_workspace

if TYPE_CHECKING:
    from gitmem.store.tree import Change
    from gitmem_hooks.plumbing import Places

_MERGED = re.compile(r"GITHEAD_([0-9a-f]{40})")


@dataclass(frozen=True)
class Staged:
    """The tree before and the tree to be, and the paths that differ.

    ``commit`` is HEAD's, ``None`` before the first; ``merged`` are the other parents of the merge that is concluded.
    """

    git: Plumbing
    places: Places
    commit: Oid | None
    before: PlumbedTree
    after: PlumbedTree
    changes: tuple[Change, ...]
    merged: tuple[Oid, ...]


def read_staged(git: Plumbing) -> Staged:
    """Compare what ``git commit`` would make of its index with HEAD.

    Raises ``NotFound`` (``WORKSPACE_NOT_FOUND``) in other repositories, and ``Unavailable`` for an index that makes no
    tree.
    """
    places = git.places()
    require_workspace(git, places)
    head, tree = git.object("HEAD"), git.object("HEAD^{tree}")
    before = PlumbedTree(git, EMPTY_TREE if tree is None else tree[0])
    after = PlumbedTree(git, Oid(git.ask("write-tree").decode().strip()))
    commit = None if head is None else head[0]
    return Staged(git, places, commit, before, after, after.changes(before), _merged(places))


def _merged(places: Places) -> tuple[Oid, ...]:
    """The commits that are merged into HEAD; until ``MERGE_HEAD`` exists, variables name them."""
    try:
        return tuple(Oid(line) for line in (places.own / "MERGE_HEAD").read_text("ascii").split())
    except FileNotFoundError:
        found = (_MERGED.fullmatch(name) for name in os.environ)
        return tuple(Oid(match[1]) for match in found if match)


def tree_of(git: Plumbing, commit: Oid) -> PlumbedTree | None:
    """The tree of a commit; ``None`` when it is not here."""
    found = git.object(f"{commit}^{{tree}}")
    return None if found is None else PlumbedTree(git, found[0])
