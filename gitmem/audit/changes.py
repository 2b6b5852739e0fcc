"""The rules over one change, which the command line and the git hooks both ask for (``architecture.md`` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.checks.base import Candidate
from gitmem.policy.secrets import SecretPolicy

if TYPE_CHECKING:
    from gitmem.errors import Finding
    from gitmem.facts.base import Facts
    from gitmem.policy.secrets import AskedPolicy
    from gitmem.store.tree import Tree


def check_change(  # noqa: PLR0913  (what a candidate is made of)
    before: Tree,
    after: Tree,
    facts: tuple[Facts, Facts],
    merged: tuple[Tree, ...] = (),
    *,
    is_root: bool = False,
    secrets: AskedPolicy = SecretPolicy,
) -> tuple[Finding, ...]:
    """What is wrong with a change; ``facts`` are those before and after it, ``merged`` a merge's other parents."""
    changes = after.changes(before)
    return gate.check(Candidate(before, after, changes, *facts, merged=merged, is_root=is_root, secrets=secrets))
