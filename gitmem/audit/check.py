"""``check``: the working directory, what is staged, a revision, a range, or all of history (``cli.md``)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.audit import rules
from gitmem.audit.base import CheckAnswer, FindingAnswer, Scope, is_ok, once, tell
from gitmem.audit.changes import check_change
from gitmem.audit.fix import fix_working_directory
from gitmem.audit.replay import Replay
from gitmem.errors import Code, InvalidRequest
from gitmem.facts.contribution import contributions_of
from gitmem.facts.overlay import OverlayFacts
from gitmem.ids import ZERO_OID
from gitmem.policy.secrets import SecretPolicy
from gitmem.store.indexed import IndexTree, WorkdirTree
from gitmem.store.refs import first_parents
from gitmem.store.walk import history, is_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.errors import Finding
    from gitmem.facts.base import Facts
    from gitmem.ids import Oid
    from gitmem.memory import Memory
    from gitmem.policy.secrets import AskedPolicy
    from gitmem.store.tree import Tree


def check_working_directory(memory: Memory, *, fix: bool = False, secrets: AskedPolicy = SecretPolicy) -> CheckAnswer:
    """The files as they stand, what was edited since the last commit, and the views; in a bare repository the tip.

    ``fix`` first mends what can be mended without changing what it says. Raises ``InvalidRequest`` where there are no
    files to fix.
    """
    if memory.repo.is_bare and fix:
        message = "a bare repository has no files to fix"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if memory.repo.is_bare or memory.commit == ZERO_OID:
        return check_revision(memory, secrets=secrets)
    fixed = fix_working_directory(memory) if fix else ()
    tree = WorkdirTree(memory.repo, memory.whole())
    facts = _facts_of(memory, tree)
    findings = (
        *tell(rules.state(memory.repo, tree, facts, secrets), None),
        *tell(check_change(memory.snapshot, tree, (memory.facts, facts), secrets=secrets), None),
        *tell(rules.edited_views(memory.snapshot, tree), None),
        *tell(_views(memory), memory.commit),
    )
    answer = _answer(Scope.WORKING_DIRECTORY, findings, start=memory.commit, files=_count(tree))
    return replace(answer, fixed=fixed)


def check_staged(memory: Memory, *, secrets: AskedPolicy = SecretPolicy) -> CheckAnswer:
    """What ``git commit`` would commit now. Raises ``InvalidRequest`` in a bare repository, which has no index."""
    if memory.repo.is_bare:
        message = "a bare repository has nothing staged; name a revision"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    tree = IndexTree(memory.repo, memory.whole())
    facts = (memory.facts, _facts_of(memory, tree))
    is_root = memory.commit == ZERO_OID
    findings = tell(check_change(memory.snapshot, tree, facts, is_root=is_root, secrets=secrets), None)
    files = len(tree.changes(memory.snapshot))
    return _answer(Scope.STAGED, findings, start=_known(memory.commit), files=files)


def check_revision(memory: Memory, *, secrets: AskedPolicy = SecretPolicy) -> CheckAnswer:
    """The state at the memory's commit, the change that this commit made, and the views there."""
    if memory.commit == ZERO_OID:
        return _answer(Scope.REVISION, ())
    passed = next(first_parents(memory.repo, memory.commit))
    replay = Replay(memory.repo, secrets=secrets)
    findings = (
        *replay.check((passed,)),
        *tell(rules.state(memory.repo, memory.snapshot, memory.facts, secrets), memory.commit),
        *tell(_views(memory), memory.commit),
    )
    start = next((parent for parent in passed.parents if is_here(memory.repo, parent)), None)
    files = _count(memory.snapshot)
    return _answer(Scope.REVISION, findings, start=start, end=memory.commit, commits=1, files=files)


def check_range(memory: Memory, start: Oid, *, secrets: AskedPolicy = SecretPolicy) -> CheckAnswer:
    """Every change that leads to the memory's commit and not to ``start``; the zero id leaves out none."""
    replay = Replay(memory.repo, secrets=secrets)
    known = _known(start)
    findings = tuple(replay.check(history(memory.repo, memory.commit, *(() if known is None else (known,)))))
    return _answer(
        Scope.RANGE, findings, start=known, end=memory.commit, commits=replay.commits, files=len(replay.paths)
    )


def check_history(memory: Memory, *, secrets: AskedPolicy = SecretPolicy) -> CheckAnswer:
    """Every change of the history, the state that it led to, and the views there."""
    if memory.commit == ZERO_OID:
        return _answer(Scope.HISTORY, ())
    replay = Replay(memory.repo, secrets=secrets)
    findings = (
        *replay.check(history(memory.repo, memory.commit)),
        *tell(rules.state(memory.repo, memory.snapshot, memory.facts, secrets), memory.commit),
        *tell(_views(memory), memory.commit),
    )
    return _answer(Scope.HISTORY, findings, end=memory.commit, commits=replay.commits, files=len(replay.paths))


def _views(memory: Memory) -> Iterator[Finding]:
    return rules.views(memory.repo, memory.whole(), memory.facts, fresh=memory.fresh)


def _facts_of(memory: Memory, tree: Tree) -> Facts:
    paths = [change.path for change in tree.changes(memory.snapshot)]
    return OverlayFacts(memory.facts, contributions_of(tree, paths))


def _count(tree: Tree) -> int:
    return sum(1 for _ in tree.entries())


def _known(commit: Oid) -> Oid | None:
    return None if commit == ZERO_OID else commit


def _answer(  # noqa: PLR0913  (the keys of the answer)
    scope: Scope,
    findings: Iterable[FindingAnswer],
    *,
    start: str | None = None,
    end: str | None = None,
    commits: int = 0,
    files: int = 0,
) -> CheckAnswer:
    found = once(findings)
    return CheckAnswer(
        ok=is_ok(found), scope=scope.value, from_=start, to=end, commits=commits, files=files, findings=found
    )
