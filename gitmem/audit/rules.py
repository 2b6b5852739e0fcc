"""The rules over one state, and over what the views show (``architecture.md`` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.checks.base import Candidate
from gitmem.checks.derived import NAME as DERIVED
from gitmem.errors import Finding, GitmemError, Severity
from gitmem.facts.overlay import EMPTY
from gitmem.format.layout import is_derived
from gitmem.policy.secrets import SecretPolicy
from gitmem.store.snapshot import Snapshot
from gitmem.store.walk import is_shallow
from gitmem.transaction.deriving import view_settings
from gitmem.views.derive import derive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.facts.base import Facts
    from gitmem.policy.secrets import AskedPolicy
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree

_RENDER = "`gitmem doctor` renders the views again"
_NAMED_VIEWS = 20
"""So many stale views are named one by one."""


def state(repo: Repo, tree: Tree, facts: Facts, secrets: AskedPolicy = SecretPolicy) -> tuple[Finding, ...]:
    """What is wrong with a state of the files, however it came about: all of it counts as new."""
    nothing = Snapshot(repo)
    changes = tree.changes(nothing)
    return gate.check(Candidate(nothing, tree, changes, EMPTY, facts, is_root=True, secrets=secrets))


def views(repo: Repo, snapshot: Snapshot, facts: Facts, *, fresh: bool) -> Iterator[Finding]:
    """Where the derived views are not what the memory gives, byte for byte.

    That is an error where the newest commit claims to have rendered them (``fresh``), else what plain git leaves
    behind. It cannot be told where the history was cut off, nor with settings of another format.
    """
    if is_shallow(repo):
        yield _not_verifiable("the history is shallow, and the order in which blocks appeared is not known")
        return
    try:
        differing = derive(snapshot, facts, view_settings(snapshot), None)
    except GitmemError as error:
        yield _not_verifiable(error.message)
        return
    severity = Severity.ERROR if fresh else Severity.WARNING
    for path in sorted(differing)[:_NAMED_VIEWS]:
        what = "should not be there" if differing[path] is None else "does not show what the memory gives"
        yield Finding(DERIVED, severity, "derived-stale", f"{path} {what}", path, None, None, _RENDER)
    if len(differing) > _NAMED_VIEWS:
        message = f"{len(differing) - _NAMED_VIEWS:,} more views do not show what the memory gives"
        yield Finding(DERIVED, severity, "derived-stale", message, fix=_RENDER)


def edited_views(before: Tree, after: Tree) -> Iterator[Finding]:
    """Derived files that somebody edited; the next write renders them over."""
    for changed in after.changes(before):
        if is_derived(changed.path):
            message = f"{changed.path} is edited, but it is derived from the topics"
            fix = f"`git checkout HEAD -- {changed.path}`, and edit the topic"
            yield Finding(DERIVED, Severity.WARNING, "derived-edited", message, changed.path, None, None, fix)


def _not_verifiable(why: str) -> Finding:
    message = f"whether the views show the memory cannot be verified: {why}"
    return Finding(DERIVED, Severity.WARNING, "derived-not-verifiable", message)
