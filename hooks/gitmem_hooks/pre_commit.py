"""``pre-commit`` and ``pre-merge-commit``: the rules over exactly what is being committed, before the commit exists."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.checks.base import Candidate
from gitmem.errors import Finding, Severity
from gitmem.facts.contribution import contributions_of
from gitmem.facts.overlay import OverlayFacts
from gitmem.format.layout import BASES_REF
from gitmem.ids import Oid
from gitmem_hooks.plumbing import Plumbing
from gitmem_hooks.secret_policy import policy_of
from gitmem_hooks.staged import read_staged, tree_of
from gitmem_hooks.staged_facts import DOUBTED, catalogued, scanned
from gitmem_hooks.telling import say, tell_findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.facts.base import Facts
    from gitmem_hooks.staged import Staged

CHECK = "hooks"
"""What the findings are reported under that come from where a commit is made, not from what is in it."""

_JOURNAL = "gitmem-projection"
"""The file in a worktree's git directory that a write leaves while it is unfinished (``gitmem.store.leftovers``)."""

_REFUSED = {
    "pre-commit": "this commit would break the memory, so it was not made; `git commit --no-verify` makes it anyway",
    "pre-merge-commit": "this merge would break the memory, so it was not committed; mend it, then `git commit`",
}


def run(arguments: Sequence[str]) -> int:
    """Check, tell, and say whether git may go on."""
    with closing(Plumbing()) as git:
        if tell_findings(check(read_staged(git))):
            say([f"gitmem: {_REFUSED[arguments[0]]}"])
            return 1
    return 0


def check(staged: Staged) -> tuple[Finding, ...]:
    """What is wrong with the commit that git is about to make (``architecture.md`` section 5)."""
    if (staged.places.own / _JOURNAL).exists():
        message = "a write was interrupted, and the files are not yet what the memory says"
        return (Finding(CHECK, Severity.ERROR, "unfinished-write", message, fix="run `gitmem doctor`, then try again"),)
    if not staged.changes:
        return ()
    return (*_left_alone(staged), *_broken_rules(staged))


def _broken_rules(staged: Staged) -> tuple[Finding, ...]:
    known = catalogued(staged)
    if known is not None:
        try:
            return _judged(staged, known)
        except DOUBTED:  # it turned out damaged on the way
            pass
    return _judged(staged, scanned(staged))


def _judged(staged: Staged, known: Facts) -> tuple[Finding, ...]:
    facts = OverlayFacts(known, contributions_of(staged.after, [change.path for change in staged.changes]))
    merged = tuple(tree for commit in staged.merged if (tree := tree_of(staged.git, commit)) is not None)
    candidate = Candidate(
        staged.before,
        staged.after,
        staged.changes,
        known,
        facts,
        merged=merged,
        is_root=staged.commit is None,
        secrets=policy_of(Path.cwd()),
    )
    return gate.check(candidate)


def _left_alone(staged: Staged) -> Iterator[Finding]:
    """Files that were being edited while memory moved under them: what is staged would take that move back."""
    try:
        bases = (staged.places.own / BASES_REF).read_text("ascii").strip()
    except FileNotFoundError:
        return
    tree = tree_of(staged.git, Oid(bases))
    for change in staged.changes:
        if tree is not None and tree.entry(change.path) is not None:
            message = f"{change.path} was being edited while the memory changed it; this would take that change back"
            fix = f"`gitmem commit {change.path}` brings both together"
            yield Finding(CHECK, Severity.ERROR, "edit-of-older-text", message, change.path, None, None, fix)
