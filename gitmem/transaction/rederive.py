"""Rendering the views of a memory that plain git, or a failure, left behind (``architecture.md`` section 3, step 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.ids import ZERO_OID, Oid
from gitmem.store.lock import write_lock
from gitmem.store.publish import Publication, publish
from gitmem.store.quarantine import Quarantine
from gitmem.store.recovery import needs_recovery, recover
from gitmem.store.revision import derived_fresh
from gitmem.transaction.base import read_base
from gitmem.transaction.deriving import affected_views, commit_views, view_settings
from gitmem.views.derive import derive

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.store.repository import Repo
    from gitmem.transaction.options import Options


@dataclass(frozen=True, slots=True)
class Rederived:
    """The derive commit that was made, and the views whose bytes it changed."""

    commit: Oid
    paths: tuple[str, ...]


def rederive(repo: Repo, catalog: Catalog, options: Options, *, everything: bool = True) -> Rederived | None:
    """Render every view from scratch, and commit them; ``None`` when they show the memory already.

    Without ``everything``: those that may differ since the last derive commit, which is all that plain git leaves.
    Raises ``Conflict`` as a transaction does, and ``GitmemError`` when a view cannot be rendered.
    """
    with write_lock(repo, options.lock_timeout):
        fresh = repo.fresh()
        if needs_recovery(fresh):
            recover(fresh)
        base = read_base(fresh)
        if base.branch.tip == ZERO_OID:
            return None
        catalog.refresh(base.branch.tip)
        with Quarantine(fresh) as quarantine:
            affected = None if everything else affected_views(fresh, base.branch.tip, base.snapshot)
            views = derive(base.snapshot, catalog.facts(), view_settings(base.snapshot), affected)
            if not views and derived_fresh(fresh, base.branch.tip):
                return None
            tip = base.branch.tip
            memory = Oid(base.revision or tip)
            commit = commit_views(quarantine, base.snapshot, views, memory, tip, options)
            publication = Publication(branch=base.branch.name, base=tip, tip=commit, message="gitmem: derive")
            publish(fresh, quarantine, publication, lock_timeout=options.lock_timeout, on_step=options.on_step)
    return Rederived(commit, tuple(sorted(views)))
