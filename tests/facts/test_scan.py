"""The plain scan answers as the protocol says, alone and under an overlay of each later change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.facts.overlay import EMPTY, OverlayFacts, contributions_of
from gitmem.facts.scan import scan_facts
from gitmem.testing.facts import FIRST, SECOND, FactsConformance
from gitmem.testing.tree import MemoryTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.facts.base import Facts
    from gitmem.ids import BlockId


class TestScan(FactsConformance):
    def facts_after(self, *states: Mapping[str, bytes]) -> Facts:
        created: dict[BlockId, int] = {}
        for state in states:
            facts = scan_facts(MemoryTree(state), dict(created))
            seen = {block for claim in facts.all_claims() for block in claim.ids}
            created |= {block: place for block in seen if (place := facts.created(block)) is not None}
        return facts


class TestOverlay(FactsConformance):
    def facts_after(self, *states: Mapping[str, bytes]) -> Facts:
        facts, before = EMPTY, MemoryTree({})
        for state in states:
            after = MemoryTree(state)
            paths = [change.path for change in after.changes(before)]
            facts, before = OverlayFacts(facts, contributions_of(after, paths)), after
        return facts


def test_a_scan_without_history_numbers_ids_by_path_and_place() -> None:
    facts = scan_facts(MemoryTree(SECOND))
    assert [facts.created(name) for name in ("a1", "a2", "b1", "b2")] == [0, 1, 2, 3]


def test_files_that_say_nothing_are_left_out() -> None:
    tree = MemoryTree({**FIRST, "README.md": b"hello", "sources/README": b"x", "core.md": b"# Derived"})
    assert list(contributions_of(tree, tree.files)) == list(FIRST)
    assert contributions_of(tree, ["topics/gone.md", "notes.txt"]) == {"topics/gone.md": None}
