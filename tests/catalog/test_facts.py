"""The catalogue answers as the protocol says (``architecture.md`` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.catalog import Catalog
from gitmem.ids import Oid
from gitmem.testing.facts import FactsConformance
from gitmem.testing.tree import MemoryTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.facts.base import Facts


class Commits:
    """A line of commits in memory."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[tuple[str, ...], MemoryTree]] = {}

    def add(self, files, *parents: str) -> Oid:
        oid = Oid(f"{len(self.known) + 1:040x}")
        self.known[oid] = (parents, MemoryTree(files))
        return oid

    def parents(self, commit):
        return self.known[commit][0] if commit in self.known else None

    def tree(self, commit):
        return self.known[commit][1] if commit in self.known else MemoryTree({})


class TestCatalog(FactsConformance):
    def facts_after(self, *states: Mapping[str, bytes]) -> Facts:
        commits = Commits()
        parents: tuple[Oid, ...] = ()
        for state in states:
            parents = (commits.add(state, *parents),)
        catalog = Catalog(commits, None)
        catalog.refresh(parents[0])
        return catalog.facts()


class TestCatalogStepByStep(FactsConformance):
    def facts_after(self, *states: Mapping[str, bytes]) -> Facts:
        commits = Commits()
        catalog = Catalog(commits, None)
        parents: tuple[Oid, ...] = ()
        for state in states:
            parents = (commits.add(state, *parents),)
            catalog.refresh(parents[0])
        return catalog.facts()
