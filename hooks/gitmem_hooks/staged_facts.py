"""The facts that what is staged is judged by: the catalogue's, and over them what changed since it was last moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.database import Damaged, Database, ReadOnly
from gitmem.catalog.facts import CatalogFacts
from gitmem.catalog.tip import tip_of
from gitmem.errors import Unavailable
from gitmem.facts.contribution import contributions_of
from gitmem.facts.overlay import OverlayFacts
from gitmem_hooks.staged import tree_of

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem_hooks.staged import Staged

DOUBTED = (Damaged, ReadOnly, Unavailable)
"""What a catalogue that cannot be asked fails with."""


def catalogued(staged: Staged) -> Facts | None:
    """The facts before the change; ``None`` without a catalogue that knows a commit of this repository."""
    if not staged.places.catalogue.exists():
        return None
    try:
        database = Database(staged.places.catalogue)
        database.pin()
        held = tip_of(database)
    except DOUBTED:
        return None
    if held == staged.commit:
        return CatalogFacts(database)
    tree = tree_of(staged.git, held)
    if tree is None:
        return None
    changed = [change.path for change in staged.before.changes(tree)]
    return OverlayFacts(CatalogFacts(database), contributions_of(staged.before, changed))


def scanned(staged: Staged) -> Facts:
    """The facts before the change by reading everything."""
    from gitmem.facts.scan import scan_facts  # noqa: PLC0415 (only without a catalogue)

    return scan_facts(staged.before)
