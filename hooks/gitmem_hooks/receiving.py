"""``pre-receive``: every pushed commit keeps the rules, and no push takes back what was archived.

Pushed objects are still in quarantine: git throws them away when this ends with 1.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.audit.replay import Replay
from gitmem.checks import append_only
from gitmem.checks.base import Candidate
from gitmem.errors import Finding, Severity
from gitmem.facts.overlay import EMPTY
from gitmem.ids import ZERO_OID
from gitmem.store.head import read_head
from gitmem.store.refs import is_ancestor, list_refs
from gitmem.store.snapshot import Snapshot
from gitmem.store.walk import commit_of, history
from gitmem_hooks.known_facts import facts_of
from gitmem_hooks.place import repository
from gitmem_hooks.pushed import BRANCHES, KEPT, TAGS, read_updates
from gitmem_hooks.secret_policy import policy_of
from gitmem_hooks.telling import say, tell_findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo
    from gitmem_hooks.pushed import Update

CHECK = "hooks"


def run(_arguments: Sequence[str]) -> int:
    """Check the push that standard input tells of; 1 refuses all of it."""
    updates = tuple(read_updates(sys.stdin))
    repo = repository()
    for name in ("GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH"):
        if os.environ.get(name):
            repo.read_also(Path(os.environ[name]).resolve())
    wrong = False
    for update in updates:
        for commit, findings in _problems(repo, update, updates):
            say([f"gitmem: {update.ref}{f', commit {commit[:12]}' if commit is not None else ''}:"])
            wrong = tell_findings(findings) or wrong
    if wrong:
        say(["gitmem: nothing was taken over; `gitmem check A..B` finds the same where the commits were made"])
    return int(wrong)


def _problems(
    repo: Repo, update: Update, updates: Sequence[Update]
) -> Iterator[tuple[Oid | None, tuple[Finding, ...]]]:
    """What is wrong with one update, commit by commit; ``None`` is about the ref itself."""
    taken_back = tuple(_taken_back(repo, update, updates))
    if taken_back:
        yield None, taken_back
    if update.deletes or not update.holds_memory:
        return
    tip = commit_of(repo, update.new)
    if tip is None:
        yield None, (_finding("not-a-commit", f"{update.ref} would name something that is no commit"),)
        return
    yield from _wrong_commits(repo, tip)


def _wrong_commits(repo: Repo, tip: Oid) -> Iterator[tuple[Oid, tuple[Finding, ...]]]:
    """The rules over every commit that no ref here leads to yet."""
    present = read_head(repo).tip
    known = [ref.oid for prefix in (BRANCHES, TAGS) for ref in list_refs(repo, prefix)]
    pushed = tuple(history(repo, tip, *(oid for oid in known if commit_of(repo, oid) is not None)))
    if not pushed:
        return
    start = Snapshot.at(repo, present)
    replay = Replay(repo, (start, facts_of(repo, start)), policy_of(repo.path))
    for passed in pushed:
        findings = replay.findings(passed)
        if findings:
            yield passed.oid, findings


def _taken_back(repo: Repo, update: Update, updates: Sequence[Update]) -> Iterator[Finding]:
    """A ref that would go or step back with something that stands nowhere else."""
    if update.creates:
        return
    if update.ref.startswith(KEPT):
        if update.deletes or not is_ancestor(repo, update.old, update.new):
            yield _finding("history-lost", f"{update.ref} may only grow", "fetch it, and push what goes on from there")
    elif update.ref.startswith(BRANCHES):
        if update.deletes:
            yield from _deleted(repo, update, updates)
        elif not is_ancestor(repo, update.old, update.new):
            yield from _replaced(repo, update)


def _deleted(repo: Repo, update: Update, updates: Sequence[Update]) -> Iterator[Finding]:
    moved = {other.ref: other.new for other in updates}
    tips = {ref.name: moved.get(ref.name, ref.oid) for ref in list_refs(repo, BRANCHES)}
    tips |= {name: oid for name, oid in moved.items() if name.startswith(BRANCHES)}
    others = (oid for name, oid in tips.items() if name != update.ref and oid != ZERO_OID)
    if not any(is_ancestor(repo, update.old, oid) for oid in others):
        message = f"{update.ref} leads to commits that no other branch has"
        yield _finding("history-lost", message, "merge it into another branch first")


def _replaced(repo: Repo, update: Update) -> Iterator[Finding]:
    """A history that takes another's place keeps every message of it, as a merge does."""
    tip = commit_of(repo, update.new)
    if tip is None:
        return
    old, new = Snapshot.at(repo, update.old), Snapshot.at(repo, tip)
    yield from append_only.run(Candidate(new, new, (), EMPTY, EMPTY, merged=(old,)))


def _finding(code: str, message: str, fix: str | None = None) -> Finding:
    return Finding(CHECK, Severity.ERROR, code, message, fix=fix)
