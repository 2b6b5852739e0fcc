"""The rules over one change, which the command line and the git hooks both ask for (``architecture.md`` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.checks.base import Candidate

if TYPE_CHECKING:
    from gitmem.errors import Finding
    from gitmem.facts.base import Facts
    from gitmem.store.tree import Tree


def check_change(
    before: Tree, after: Tree, facts: tuple[Facts, Facts], merged: tuple[Tree, ...] = (), *, is_root: bool = False
) -> tuple[Finding, ...]:
    """What is wrong with a change; ``facts`` are those before and after it, ``merged`` a merge's other parents."""
    return gate.check(Candidate(before, after, after.changes(before), *facts, merged=merged, is_root=is_root))
