"""The memory at one commit, with everything that is known about it: what readers are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import ZERO_OID
from gitmem.store.revision import derived_fresh, revision_of
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.facts.base import Facts
    from gitmem.ids import Oid, Revision
    from gitmem.store.repository import Repo


@dataclass(frozen=True, slots=True)
class Memory:
    """One state: ``commit`` is the one that was read, ``revision`` the newest memory commit at or below it.

    ``fresh`` says whether the derived views at the commit show its memory. ``catalog`` answers for this commit as
    long as the memory is used.
    """

    repo: Repo
    commit: Oid
    revision: Revision | None
    fresh: bool
    snapshot: Snapshot
    facts: Facts
    catalog: Catalog


def read_memory(repo: Repo, catalog: Catalog, commit: Oid) -> Memory:
    """The memory at a commit (zeros: none yet), the catalogue brought to it.

    Raises ``NotFound`` (``REVISION_NOT_FOUND``), and ``Unavailable`` when the catalogue cannot follow.
    """
    catalog.refresh(commit)
    unborn = commit == ZERO_OID
    return Memory(
        repo=repo,
        commit=commit,
        revision=None if unborn else revision_of(repo, commit),
        fresh=not unborn and derived_fresh(repo, commit),
        snapshot=Snapshot.at(repo, commit),
        facts=catalog.facts(),
        catalog=catalog,
    )
