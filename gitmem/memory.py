"""The memory at one commit, with everything that is known about it: what readers are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import ZERO_OID
from gitmem.store.revision import derived_fresh, revision_of
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog, View
    from gitmem.facts.base import Facts
    from gitmem.ids import Oid, Revision
    from gitmem.store.repository import Repo


@dataclass(frozen=True, slots=True)
class Memory:
    """One state: ``commit`` is the one that was read, ``revision`` the newest memory commit at or below it.

    ``fresh`` says whether the derived views at the commit show its memory. ``view`` is what the catalogue knows of the
    commit (documents, first-parent history); its facts are ``facts``. ``catalog`` itself may stand at another commit.
    """

    repo: Repo
    commit: Oid
    revision: Revision | None
    fresh: bool
    snapshot: Snapshot
    facts: Facts
    view: View
    catalog: Catalog


def read_memory(repo: Repo, catalog: Catalog, commit: Oid, tip: Oid | None = None) -> Memory:
    """The memory at a commit (zeros: none yet), the catalogue brought to ``tip``, by default the commit itself.

    A reader of older revisions gives the current tip, so that the catalogue stays where everybody needs it. Raises
    ``NotFound`` (``REVISION_NOT_FOUND``), and ``Unavailable`` when the catalogue cannot follow.
    """
    snapshot = Snapshot.at(repo, commit)
    catalog.refresh(commit if tip is None else tip)
    view = catalog.at(commit)
    unborn = commit == ZERO_OID
    return Memory(
        repo=repo,
        commit=commit,
        revision=None if unborn else revision_of(repo, commit),
        fresh=not unborn and derived_fresh(repo, commit),
        snapshot=snapshot,
        facts=view.facts,
        view=view,
        catalog=catalog,
    )
