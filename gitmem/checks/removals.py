"""``removals``: a writer takes away little, with a reason, and only what it was shown (0.19).

A block is removed when one of its ids stands nowhere any more. A block that the writer was not shown may not be
rewritten or merged away either, which would lose its words just as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.text import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.checks.base import Candidate
    from gitmem.format.model import Claim
    from gitmem.ids import BlockId

NAME = "removals"
CODE = Code.WRITER_BUDGET_EXCEEDED


def run(candidate: Candidate) -> Iterator[Finding]:
    """Blocks beyond the budget, all of them, those without a reason, and unseen ones that lose words or evidence."""
    budget = candidate.request.removals if candidate.request is not None else None
    if budget is None:
        return
    from gitmem.facts.difference import removed_between  # noqa: PLC0415  (seldom asked for, and slow to load)

    removed = removed_between(candidate.parent, candidate.child_facts, candidate.changes)
    if len(removed) > budget.blocks:
        yield from _too_many(removed, budget.blocks)
    yield from _unexplained(removed, budget.unexplained)
    if budget.seen is not None:
        yield from _unseen(candidate, removed, budget.seen)


def _too_many(removed: Sequence[Claim], allowed: int) -> Iterator[Finding]:
    fix = "keep what still holds; merging blocks removes none, because every id stays as an alias"
    for claim in removed:
        what = f"would be removed, one of {len(removed)} where {allowed} more may be"
        yield _finding("too-many-removed", claim, what, fix)


def _unexplained(removed: Sequence[Claim], unexplained: frozenset[BlockId]) -> Iterator[Finding]:
    fix = "say why, with superseded, merged, wrong, transient or project state and a few words; or put the block back"
    for claim in removed:
        if not unexplained.isdisjoint(claim.ids):
            yield _finding("removal-without-reason", claim, "would be removed without a reason", fix)


def _unseen(candidate: Candidate, removed: Sequence[Claim], seen: frozenset[BlockId]) -> Iterator[Finding]:
    fix = "leave the block as it was, or read it before deciding"
    for claim in removed:
        if seen.isdisjoint(claim.ids):
            yield _finding("removed-unseen", claim, "would be removed, and the writer was not shown it", fix)
    gone = {(claim.path, claim.ordinal) for claim in removed}
    for claim in _rewritten(candidate):
        if seen.isdisjoint(claim.ids) and (claim.path, claim.ordinal) not in gone:
            yield _finding("rewritten-unseen", claim, "would be rewritten, and the writer was not shown it", fix)


def _rewritten(candidate: Candidate) -> tuple[Claim, ...]:
    """The claims that stand on with other words or less evidence, or as part of another."""
    from gitmem.facts.difference import claims_between  # noqa: PLC0415
    from gitmem.format.claim import loses  # noqa: PLC0415

    difference = claims_between(candidate.parent, candidate.child, candidate.changes)
    changed = (changed.before for changed in difference.changed if loses(changed.before, changed.after))
    return (*changed, *(merge.before for merge in difference.merged))


def _finding(code: str, claim: Claim, what: str, fix: str) -> Finding:
    message = f"^{claim.id} {what}: {excerpt(claim.content)}"
    return Finding(NAME, Severity.ERROR, code, message, claim.path, claim.line, claim.id, fix)
