"""The rules again over every change of a history, in the order in which the changes were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.audit.base import tell
from gitmem.audit.changes import check_change
from gitmem.checks.secrets import NAME as SECRETS
from gitmem.errors import Severity
from gitmem.facts.contribution import contributes, contributions_of
from gitmem.facts.overlay import EMPTY, OverlayFacts
from gitmem.facts.scan import ScanFacts
from gitmem.format.layout import is_v2_archive
from gitmem.ids import ZERO_OID
from gitmem.policy.secrets import SecretPolicy
from gitmem.store.snapshot import Snapshot
from gitmem.store.walk import is_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.audit.base import FindingAnswer
    from gitmem.errors import Finding
    from gitmem.facts.base import Facts
    from gitmem.facts.contribution import Contribution
    from gitmem.policy.secrets import AskedPolicy
    from gitmem.store.refs import Passed
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Change

_FEW = 64
"""So many changed files are laid over the last full reading before there is another."""


class Replay:
    """Checks commits one after the other; counts them, and remembers which files they changed."""

    def __init__(
        self, repo: Repo, known: tuple[Snapshot, Facts] | None = None, secrets: AskedPolicy = SecretPolicy
    ) -> None:
        """Read from this repository; ``known`` is a state whose facts need not be read again."""
        self._repo = repo
        self._secrets = secrets
        self._reading = _Reading(repo, known)
        self.commits = 0
        self.paths: set[str] = set()

    def check(self, commits: Iterable[Passed]) -> Iterator[FindingAnswer]:
        """The errors and the secrets of each commit; a commit whose parents were cut off begins the history.

        What a commit leaves as it found it is reported where it came in.
        """
        for passed in commits:
            yield from tell(self.findings(passed), passed.oid)

    def findings(self, passed: Passed) -> tuple[Finding, ...]:
        """The errors and the secrets of one commit, as ``check`` has them."""
        self.commits += 1
        return tuple(filter(_is_its_own, self._check(passed)))

    def _check(self, passed: Passed) -> tuple[Finding, ...]:
        after = Snapshot.at(self._repo, passed.oid)
        parents = [parent for parent in passed.parents if is_here(self._repo, parent)]
        before, *merged = [Snapshot.at(self._repo, parent) for parent in parents or [ZERO_OID]]
        self.paths.update(change.path for change in after.changes(before))
        facts = (self._reading.facts(before), self._reading.facts(after))
        return check_change(before, after, facts, tuple(merged), is_root=not parents, secrets=self._secrets)


def _is_its_own(finding: Finding) -> bool:
    """Whether a commit brought what is wrong: warnings are about what was there before it, but for secrets."""
    return finding.severity is Severity.ERROR or finding.check == SECRETS


class _Reading:
    """The facts of one state after another: one full reading, and over it the files that differ."""

    def __init__(self, repo: Repo, known: tuple[Snapshot, Facts] | None = None) -> None:
        self._base, self._facts = known or (Snapshot(repo), EMPTY)
        self._parts: dict[str, Contribution] = {}
        self._has_parts = known is None

    def facts(self, tree: Snapshot) -> Facts:
        changes = [change for change in tree.changes(self._base) if contributes(change.path)]
        for change in changes:
            self._scan_on(tree, change)
        parts = contributions_of(tree, (change.path for change in changes))
        if len(parts) <= max(_FEW, len(self._parts) // 8):
            return OverlayFacts(self._facts, parts)
        if not self._has_parts:
            paths = (entry.path for entry in tree.entries() if contributes(entry.path))
            parts, self._has_parts = contributions_of(tree, paths), True
        self._base = tree
        self._parts = {path: part for path, part in (self._parts | parts).items() if part is not None}
        self._facts = ScanFacts(self._parts)
        return self._facts

    def _scan_on(self, tree: Snapshot, change: Change) -> None:
        """Let an archive that only grew be read from where it grew."""
        if change.old is None or change.new is None or not is_v2_archive(change.path):
            return
        before, after = self._base.read(change.path) or b"", tree.read(change.path) or b""
        if after.startswith(before):
            known = self._base.archive(change.path)
            tree.repo.memo.archive(change.path, change.new.oid, lambda: after, known)
