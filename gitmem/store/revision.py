"""Telling memory commits from derive commits: the tree decides, trailers never do (``architecture.md`` section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.layout import is_derived
from gitmem.ids import ZERO_OID, Oid, Revision
from gitmem.store.refs import Passed, first_parents
from gitmem.store.snapshot import FOLDER, Snapshot, top_differences

if TYPE_CHECKING:
    from gitmem.store.repository import Repo


def is_derive_commit(repo: Repo, commit: Oid) -> bool:
    """Whether the commit has exactly one parent and every path it changes is derived (also when it changes none).

    ``False`` where a shallow history has cut the parent off.
    """
    known = repo.memo.derive_commits
    if commit not in known:
        passed = next(first_parents(repo, commit), None)
        known[commit] = passed is not None and _derives(repo, passed)
    return known[commit]


def _derives(repo: Repo, passed: Passed) -> bool:
    if len(passed.parents) != 1:
        return False
    parent = next(first_parents(repo, passed.parents[0]), None)
    if parent is None:
        return False
    # Views stand in the root, or in a folder that holds nothing else: there is no need to look into folders.
    nodes = (node for sides in top_differences(repo, parent.tree, passed.tree) for node in sides.items())
    return all(is_derived(f"{name}/-" if node[1] == FOLDER else name) for name, node in nodes)


def revision_of(repo: Repo, tip: Oid) -> Revision:
    """The newest commit on the first-parent line that is no derive commit; zero for an unborn branch.

    A history that begins with derive commits (a shallow one) has its oldest commit for a revision.
    """
    last = tip
    if tip == ZERO_OID:
        return Revision(tip)
    for passed in first_parents(repo, tip):
        last = passed.oid
        if not is_derive_commit(repo, passed.oid):
            break
    return Revision(last)


def derived_fresh(repo: Repo, tip: Oid) -> bool:
    """Whether the views answer for the memory: the tip is a derive commit (``architecture.md`` section 3, step 6)."""
    return tip != ZERO_OID and is_derive_commit(repo, tip)


def is_rendered_here(repo: Repo, commit: Oid) -> bool:
    """Whether a derive commit was made for the memory below it; one that was rebased or picked shows another's views.

    What kind of commit it is, the tree decides; a trailer may only cast doubt on what it shows.
    """
    if not is_derive_commit(repo, commit):
        return False
    _, written = repo.git.read(commit)
    return written.rstrip().endswith(f"\nDerived-From: {revision_of(repo, commit)}".encode())


def memory_at(repo: Repo, tip: Oid) -> Snapshot:
    """The memory of a tip: its revision's snapshot."""
    return Snapshot.at(repo, Oid(revision_of(repo, tip)))
