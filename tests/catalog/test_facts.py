"""The catalogue answers as the protocol says (``architecture.md`` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.catalog.catalog import Catalog
from gitmem.testing.facts import FactsConformance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from catalogues import MemoryCommits
    from gitmem.facts.base import Facts
    from gitmem.ids import Oid


class TestCatalog(FactsConformance):
    @pytest.fixture(autouse=True)
    def _history(self, commits: MemoryCommits) -> None:
        self.commits = commits

    def facts_after(self, *states: Mapping[str, bytes]) -> Facts:
        commits = self.commits
        parents: tuple[Oid, ...] = ()
        for state in states:
            parents = (commits.add(state, *parents),)
        catalog = Catalog(commits, None)
        catalog.refresh(parents[0])
        return catalog.facts()


class TestCatalogStepByStep(FactsConformance):
    @pytest.fixture(autouse=True)
    def _history(self, commits: MemoryCommits) -> None:
        self.commits = commits

    def facts_after(self, *states: Mapping[str, bytes]) -> Facts:
        commits = self.commits
        catalog = Catalog(commits, None)
        parents: tuple[Oid, ...] = ()
        for state in states:
            parents = (commits.add(state, *parents),)
            catalog.refresh(parents[0])
        return catalog.facts()
