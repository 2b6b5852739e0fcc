"""Transactions carried out in a quarantine that is thrown away: what would change, checked, and nothing written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.facts.difference import claims_between
from gitmem.policy.secrets import SecretPolicy
from gitmem.store.quarantine import Quarantine
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging
from gitmem.transaction.base import read_base, require_current
from gitmem.transaction.commit import vouched
from gitmem.transaction.stage import stage

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from gitmem.catalog.catalog import Catalog
    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.policy.secrets import AskedPolicy
    from gitmem.request import Request
    from gitmem.store.repository import Repo
    from gitmem.transaction.stage import Staged


class Rehearsal:
    """A context in which requests build on each other; no lock is taken, no ref, file or index changes.

    ``snapshot`` and ``facts`` are those of the state so far.
    """

    def __init__(self, repo: Repo, catalog: Catalog, secrets: AskedPolicy = SecretPolicy) -> None:
        """Begin with the current memory."""
        self._repo = repo
        self._secrets = secrets
        self._base = read_base(repo)
        catalog.refresh(self._base.branch.tip)
        self._quarantine = Quarantine(repo)
        self.snapshot = self._base.snapshot
        self.facts: Facts = catalog.facts()

    def __enter__(self) -> Self:
        """Rehearse until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Throw everything away."""
        self._quarantine.discard()

    def carry_out(self, request: Request) -> Staged:
        """Stage and check one request on the state so far, which it then is. Raises what ``commit`` raises."""
        stamped = vouched(request)
        require_current(self._repo, self._base, request.base_revision)
        staging = Staging(self._repo, self.snapshot, self._quarantine)
        staged = stage(staging, self.facts, stamped)
        gate.refuse_errors(gate.check(staged.candidate(self.facts, stamped, secrets=self._secrets)))
        if staged.changes:
            self.snapshot, self.facts = Snapshot(self._quarantine.repo, staging.build()), staged.facts
        return staged

    def difference(self) -> ClaimsDiff:
        """What all requests together would change."""
        before = self._base.snapshot
        return claims_between(before, self.snapshot, self.snapshot.changes(before))
