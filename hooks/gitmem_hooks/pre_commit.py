"""``pre-commit`` and ``pre-merge-commit``: the rules over exactly what is being committed, before the commit exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.checks.base import Candidate
from gitmem.errors import Finding, Severity
from gitmem.facts.contribution import contributions_of
from gitmem.facts.overlay import OverlayFacts
from gitmem.format.layout import BASES_REF
from gitmem.store.leftovers import journal_path
from gitmem.store.refs import read_ref
from gitmem.store.snapshot import Snapshot
from gitmem_hooks.known_facts import facts_of
from gitmem_hooks.place import index_file, repository
from gitmem_hooks.secret_policy import policy_of
from gitmem_hooks.staged import merged_commits, read_staged
from gitmem_hooks.telling import say, tell_findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gitmem.store.repository import Repo
    from gitmem_hooks.staged import Staged

CHECK = "hooks"
"""What the findings are reported under that come from where a commit is made, not from what is in it."""

_REFUSED = {
    "pre-commit": "this commit would break the memory, so it was not made; `git commit --no-verify` makes it anyway",
    "pre-merge-commit": "this merge would break the memory, so it was not committed; mend it, then `git commit`",
}


def run(arguments: Sequence[str]) -> int:
    """Check, tell, and say whether git may go on."""
    if tell_findings(check(repository(), index_file())):
        say([f"gitmem: {_REFUSED[arguments[0]]}"])
        return 1
    return 0


def check(repo: Repo, index: Path | None) -> tuple[Finding, ...]:
    """What is wrong with the commit that git is about to make (``architecture.md`` section 5).

    ``index`` is git's ``$GIT_INDEX_FILE``: in ``git commit -- PATH`` it is not the worktree's own. Raises
    ``Unavailable`` for an index that cannot be read.
    """
    if journal_path(repo).exists():
        message = "a write was interrupted, and the files are not yet what the memory says"
        return (Finding(CHECK, Severity.ERROR, "unfinished-write", message, fix="run `gitmem doctor`, then try again"),)
    staged = read_staged(repo, index)
    if not staged.changes:
        return ()
    known = facts_of(repo, staged.before)
    facts = OverlayFacts(known, contributions_of(staged.after, [change.path for change in staged.changes]))
    merged = tuple(Snapshot.at(repo, parent) for parent in merged_commits(repo))
    is_root = staged.before.commit is None
    both = (staged.before, staged.after, staged.changes, known, facts)
    candidate = Candidate(*both, merged=merged, is_root=is_root, secrets=policy_of(repo))
    return (*_left_alone(repo, staged), *gate.check(candidate))


def _left_alone(repo: Repo, staged: Staged) -> Iterator[Finding]:
    """Files that were being edited while memory moved under them: what is staged would take that move back."""
    if read_ref(repo, BASES_REF) is None:
        return
    from gitmem.store.left_alone import read_bases  # noqa: PLC0415 (seldom, and it loads what writes commits)

    based = read_bases(repo)
    for change in staged.changes:
        if change.path in based:
            message = f"{change.path} was being edited while the memory changed it; this would take that change back"
            fix = f"`gitmem commit {change.path}` brings both together"
            yield Finding(CHECK, Severity.ERROR, "edit-of-older-text", message, change.path, None, None, fix)
