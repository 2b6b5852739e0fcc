"""The facts of a commit: from the catalogue, which costs what changed since, else by reading everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.catalog import Catalog
from gitmem.errors import Unavailable

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Snapshot


def facts_of(repo: Repo, snapshot: Snapshot) -> Facts:
    """The facts of a commit's snapshot; of no commit there are none."""
    if snapshot.commit is None:
        from gitmem.facts.overlay import EMPTY  # noqa: PLC0415 (only before the first commit)

        return EMPTY
    try:
        catalog = Catalog.open(repo)
        catalog.refresh(snapshot.commit)
        return catalog.facts()
    except Unavailable:
        from gitmem.facts.scan import scan_facts  # noqa: PLC0415 (only without a catalogue)

        return scan_facts(snapshot)
