"""One request, start to end: lock, compare, stage, check, derive, publish (``architecture.md`` section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitmem.answers import Result
from gitmem.checks import gate
from gitmem.edit.sources import stamp_sources
from gitmem.errors import GitmemError, Severity
from gitmem.facts.difference import claims_between
from gitmem.format.layout import is_source
from gitmem.format.trailers import compute_subject, render_message
from gitmem.ids import ZERO_OID, Oid, Revision
from gitmem.store.commits import Stamp, create_commit
from gitmem.store.leftovers import refuse_while_forgetting
from gitmem.store.lock import write_lock
from gitmem.store.projected import Why
from gitmem.store.publish import Publication, publish
from gitmem.store.quarantine import Quarantine
from gitmem.store.recovery import needs_recovery, recover
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging
from gitmem.store.steps import step
from gitmem.transaction.base import read_base, require_current
from gitmem.transaction.deriving import affected_views, commit_views, view_settings
from gitmem.transaction.meeting import merge_typed
from gitmem.transaction.stage import stage
from gitmem.views.derive import derive

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.catalog.catalog import Catalog
    from gitmem.errors import Finding
    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.request import Request
    from gitmem.store.publish import Published
    from gitmem.store.repository import Repo
    from gitmem.transaction.base import Base
    from gitmem.transaction.options import Options
    from gitmem.transaction.stage import Staged


def commit(repo: Repo, catalog: Catalog, request: Request, options: Options) -> Result:
    """Carry out the request, or raise and leave everything byte-identical.

    A request that changes nothing commits nothing and gives the present revision. Raises the errors of the edit layer
    and of the checks, and ``Conflict`` when the lock is held, the base is stale or the repository is busy.
    """
    stamped = vouched(request)
    with write_lock(repo, options.lock_timeout):
        fresh = repo.fresh()
        if needs_recovery(fresh):
            recover(fresh)
        refuse_while_forgetting(fresh)
        with step(options.on_step, "compare"):
            base = read_base(fresh)
            require_current(fresh, base, request.base_revision)
            catalog.refresh(base.branch.tip)
        with Quarantine(fresh) as quarantine:
            attempt = Attempt(fresh, catalog.facts(), stamped, options, base, quarantine)
            with step(options.on_step, "stage"):
                staged = stage(attempt.staging(), attempt.facts, stamped)
            return attempt.carry_out(staged).result


def vouched(request: Request) -> Request:
    """The request with its sources stamped by its caller's authority. Raises what the request checks find."""
    stamped = replace(request, sources=stamp_sources(request.sources, request.authority))
    gate.refuse_errors(gate.check_request(stamped))
    return stamped


@dataclass(frozen=True, slots=True)
class Carried:
    """A result, and the ref that keeps what somebody was typing in files that the transaction met."""

    result: Result
    rescue: str | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One transaction under the lock, with everything that it reads.

    ``absorbed`` are files whose text in the working directory went into it (``Publication``). ``replaced`` is the tip
    that the branch leaves for it, where that is not the base: the commits above the base are made anew. ``author`` is
    the request's, now, unless given.
    """

    repo: Repo
    facts: Facts
    request: Request
    options: Options
    base: Base
    quarantine: Quarantine
    absorbed: Mapping[str, tuple[Oid | None, ...]] = field(default_factory=dict)
    replaced: Oid | None = None
    author: Stamp | None = None

    def staging(self) -> Staging:
        """An empty change on the base."""
        return Staging(self.repo, self.base.snapshot, self.quarantine)

    def carry_out(self, staged: Staged, *, is_root: bool = False) -> Carried:
        """Check, commit, derive and publish what is staged; steps 5 to 8."""
        if not staged.changes:
            return Carried(self._unchanged(staged))
        with step(self.options.on_step, "check"):
            candidate = staged.candidate(self.facts, self.request, is_root=is_root, secrets=self.options.secrets)
            findings = gate.check(candidate)
            gate.refuse_errors(findings)
        with step(self.options.on_step, "derive"):
            tree = staged.staging.build()
            difference = claims_between(self.base.snapshot, staged.staging, staged.changes)
            memory = self._memory_commit(staged, tree, difference)
            derived, warnings = self._derive_commit(staged, memory, tree)
        destructive = self.request.destructive or bool(difference.removed or difference.merged)
        left = self.replaced or self.base.branch.tip
        autosave = left if destructive and left != ZERO_OID else None
        return self._publish(staged, memory, derived, autosave, (*_warnings(findings), *warnings))

    def _unchanged(self, staged: Staged) -> Result:
        return Result(
            ok=True,
            revision=self.base.revision,
            derived_commit=None,
            memory_committed=False,
            source_ids=staged.source_ids,
            block_ids={},
            evidence_ids={},
            changed_files=(),
            warnings=staged.outcome.warnings,
        )

    def _memory_commit(self, staged: Staged, tree: Oid, diff: ClaimsDiff) -> Oid:
        handles = tuple(record.handle for record in staged.added)
        message = render_message(
            self.request.subject or compute_subject(diff, handles),
            self.request.body or "",
            diff,
            self.request.surface,
            self.request.authority.tier,
            handles,
            self.request.extra_trailers,
        )
        author = self.author or Stamp.at(self.request.author, self.options.now())
        return create_commit(
            self.quarantine.repo,
            tree=tree,
            parents=self._parents(),
            message=message,
            author=author,
            sign=self.options.sign,
        )

    def _parents(self) -> tuple[Oid, ...]:
        return () if self.base.branch.tip == ZERO_OID else (self.base.branch.tip,)

    def _derive_commit(self, staged: Staged, memory: Oid, tree: Oid) -> tuple[Oid | None, tuple[str, ...]]:
        """The commit with the views, which may be empty; ``None`` and a warning when they cannot be rendered."""
        try:
            affected = affected_views(self.repo, self.base.branch.tip, staged.staging)
            views = derive(staged.staging, staged.facts, view_settings(staged.staging), affected)
        except (GitmemError, OSError) as error:
            return None, (f"the views could not be derived ({error}); the next write or `gitmem doctor` renders them",)
        shown = Snapshot(self.quarantine.repo, tree)
        return commit_views(self.quarantine, shown, views, memory, memory, self.options), ()

    def _publish(
        self, staged: Staged, memory: Oid, derived: Oid | None, autosave: Oid | None, warnings: tuple[str, ...]
    ) -> Carried:
        tip, base = derived or memory, self.base.branch
        published = publish(
            self.repo,
            self.quarantine,
            Publication(
                branch=base.name,
                base=self.replaced or base.tip,
                tip=tip,
                message=f"gitmem: {self.request.surface}",
                autosave=autosave,
                absorbed=self.absorbed,
            ),
            lock_timeout=self.options.lock_timeout,
            merge=merge_typed,
            on_step=self.options.on_step,
        )
        result = Result(
            ok=True,
            revision=Revision(memory),
            derived_commit=derived,
            memory_committed=True,
            source_ids=staged.source_ids,
            block_ids=staged.outcome.block_ids,
            evidence_ids=staged.outcome.evidence_ids,
            changed_files=tuple(change.path for change in staged.changes),
            autosave=published.autosave,
            warnings=(*staged.outcome.warnings, *warnings, *_disturbances(published)),
        )
        return Carried(result, published.projected.rescue)


def _warnings(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """Older findings in the files that were touched, reported and not fatal (0.9)."""
    older = [finding for finding in findings if finding.severity is Severity.WARNING]
    return tuple(f"{finding.path}:{finding.line or 1}: {finding.message}" for finding in older)


_KEPT = {
    Why.EDITED: "is being edited; it was left as it is, based on what stood there before",
    Why.STAGED: "is staged with other text; it was left as it is",
    Why.BLOCKED: "could not be written; something else stands there",
    Why.MERGED: "was being edited; your edit and the new text were combined",
    Why.REPLACED: "had been edited, but it is derived; it was rendered anew",
}
_ARCHIVE_KEPT = "was edited, but archives are only appended to; it was left as it is: `git restore` puts it back"


def _disturbances(published: Published) -> Iterator[str]:
    """What happened in the working directory that its user should know."""
    rescue = published.projected.rescue
    saved = f" (what was there: `git show {rescue}`)" if rescue is not None else ""
    for kept in published.projected.kept:
        archive = is_source(kept.path) and kept.why is Why.EDITED
        yield f"{kept.path} {_ARCHIVE_KEPT if archive else _KEPT[kept.why]}{saved}"
    if published.typed is not None and rescue is None:
        yield f"the text as it was typed is kept (`git show {published.typed}`)"
    if published.unfinished is not None:
        yield f"memory changed, but the working directory does not follow yet: {published.unfinished}"
    if published.head_moved:
        yield "the branch was switched meanwhile; the files are those of the new branch"
