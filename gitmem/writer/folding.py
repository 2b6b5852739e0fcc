"""One piece of a writer's work, from its proposal to the transaction (``behaviours.md`` 0.16, 10.4 to 10.6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from gitmem.errors import Code, Conflict, GitmemError, InvalidRequest, NotFound, Refused
from gitmem.format.text import excerpt
from gitmem.request import RemovalBudget
from gitmem.writer.asking import ask
from gitmem.writer.base import Refusal, WriterResult
from gitmem.writer.memory import WriterMemory
from gitmem.writer.proposals import Proposal, propose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.authority import Authority
    from gitmem.conversations.model import NodeId
    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.ids import BlockId, Revision
    from gitmem.request import Request
    from gitmem.store.tree import Tree
    from gitmem.writer.base import Memory
    from gitmem.writer.proposals import Proposals

ATTEMPTS = 3
"""How often a piece of work is tried because the memory moved meanwhile, before the caller is told to try again."""

REMOVALS_AT_LEAST = 3
"""Blocks that a run may remove however small the memory is."""

OF_ANOTHER = frozenset({Code.FORGOTTEN_SOURCE, Code.GIT_COMMIT_FAILED, Code.TRANSACTION_FAILURE_UNKNOWN})
"""Refusals that no writer can mend: an archived message, or git itself, is in the way."""

_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Installed:
    """What became of one request; without ``revision`` in a dry run.

    ``removed`` are the blocks that are gone, ``autosave`` is what was kept before something was merged or removed,
    ``warnings`` what the transaction met, such as files that somebody is editing.
    """

    revision: str | None
    derived_commit: str | None
    source_ids: tuple[str, ...]
    block_ids: tuple[str, ...]
    changed_files: tuple[str, ...] = ()
    removed: tuple[BlockId, ...] = ()
    autosave: str | None = None
    warnings: tuple[str, ...] = ()


class Desk(Protocol):
    """Where a writer's results go: into the memory, or into a rehearsal of it."""

    @property
    def dry_run(self) -> bool:
        """Whether nothing stays."""
        ...

    @property
    def authority(self) -> Authority:
        """On whose behalf is written."""
        ...

    @property
    def revision(self) -> Revision | None:
        """The revision that ``facts`` and ``tree`` are of."""
        ...

    @property
    def facts(self) -> Facts:
        """What is known of the memory now."""
        ...

    @property
    def tree(self) -> Tree:
        """The memory's files now."""
        ...

    @property
    def blocks(self) -> int:
        """How many blocks the memory had when the desk was opened."""
        ...

    @property
    def proposals(self) -> Proposals:
        """Where proposals wait that were paid for."""
        ...

    def install(self, request: Request, nodes: Sequence[NodeId] = ()) -> Installed:
        """Carry out the request, then mark the nodes as written by it."""
        ...

    def settle(self) -> None:
        """Mark what was installed and is not marked yet."""
        ...

    def difference(self) -> ClaimsDiff:
        """What all requests together changed."""
        ...


@dataclass(frozen=True, slots=True)
class Work:
    """One piece of work: who proposes what, and the request that a proposal becomes.

    ``key`` names it for ``Proposals``. ``propose`` asks the writer, with what became of its proposal the second time;
    ``request`` gives everything of the transaction but its base and its removal budget. ``repairs``: the writer is told
    once of a refusal; with ``keeps`` its proposals are kept until then, because they cost something. ``nodes`` are
    marked when it is installed.
    """

    key: str
    propose: Callable[[Memory, Refusal | None], WriterResult]
    request: Callable[[WriterResult], Request]
    repairs: bool = False
    nodes: tuple[NodeId, ...] = ()
    keeps: bool = True

    @property
    def is_kept(self) -> bool:
        """Whether a proposal is kept until it is installed or given up."""
        return self.repairs and self.keeps


@dataclass(slots=True)
class Removals:
    """What a run may still take away: ``share`` of the blocks, at least three, over all its transactions."""

    left: int

    @classmethod
    def of(cls, blocks: int, share: float) -> Removals:
        """The whole budget of a run on a memory of so many blocks."""
        return cls(max(REMOVALS_AT_LEAST, int(blocks * share)))

    def budget(self, result: WriterResult) -> RemovalBudget:
        """What one result may remove."""
        unexplained = frozenset(block for block, reason in result.reasons.items() if not reason.strip())
        return RemovalBudget(self.left, result.seen, unexplained)


def carry_out(desk: Desk, work: Work, removals: Removals) -> tuple[WriterResult, Installed]:
    """Fold one piece of work: propose, install; a refusal is told the writer once, then the whole piece fails (10.6).

    When the memory moved meanwhile, a proposal whose files nobody else touched is installed on what stands now, without
    asking the writer again (``architecture.md`` section 3, step 2). Raises what the writer raised, ``Refused``
    (``WRITER_NO_PROGRESS``) for a result that says nothing (10.4), ``Refused`` (``COMMIT_REJECTED``, or
    ``WRITER_BUDGET_EXCEEDED``) for a result that was refused twice, and ``Conflict`` when the memory keeps moving.
    """
    return _Fold(desk, work, removals).run()


@dataclass(slots=True)
class _Fold:
    desk: Desk
    work: Work
    removals: Removals
    conflicts: int = 0

    def run(self) -> tuple[WriterResult, Installed]:
        proposal = self._kept() or self._ask(None)
        while True:  # ends: a proposal is refused twice at most, and conflicts are counted
            try:
                installed = self._install(proposal)
            except Conflict as conflict:
                proposal = self._again(proposal, conflict)
            except (Refused, InvalidRequest, NotFound) as error:
                proposal = self._repaired(proposal, error)
            else:
                self._done(installed)
                return proposal.result, installed

    def _done(self, installed: Installed) -> None:
        self.removals.left -= len(installed.removed)
        if self.work.is_kept and not self.desk.dry_run:
            self.desk.proposals.drop(self.work.key)

    def _kept(self) -> Proposal | None:
        found = self.desk.proposals.find(self.work.key) if self.work.is_kept else None
        return found if found is not None and found.stands(self.desk.tree) else None

    def _ask(self, refusal: Refusal | None) -> Proposal:
        tree, facts = self.desk.tree, self.desk.facts
        result = ask(lambda: self.work.propose(WriterMemory(facts, tree), refusal), tree)
        proposal = propose(result, tree, facts, repaired=refusal is not None)
        if self.work.is_kept:
            self.desk.proposals.keep(self.work.key, proposal)
        return proposal

    def _install(self, proposal: Proposal) -> Installed:
        request = replace(
            self.work.request(proposal.result),
            base_revision=self.desk.revision,
            removals=self.removals.budget(proposal.result),
            body=_reasons(proposal.result),
        )
        try:
            return self.desk.install(request, self.work.nodes)
        except (GitmemError, OSError):
            raise
        except Exception as error:
            # What a writer made may be of any shape; nobody is told to mend what nobody foresaw.
            message = f"the writer's result could not be carried out: {type(error).__name__}"
            raise Refused(Code.TRANSACTION_FAILURE_UNKNOWN, message) from error

    def _again(self, proposal: Proposal, conflict: Conflict) -> Proposal:
        """What to try after the memory moved: the same, where its writer would see the same files."""
        self.conflicts += 1
        if self.conflicts == ATTEMPTS or conflict.code is Code.REPOSITORY_BUSY:
            raise conflict
        return proposal if self.work.repairs and proposal.stands(self.desk.tree) else self._ask(None)

    def _repaired(self, proposal: Proposal, error: GitmemError) -> Proposal:
        """Tell the writer once; who was told already, or cannot mend anything, has failed."""
        if not self.work.repairs or error.code in OF_ANOTHER:
            raise error
        if proposal.repaired:
            self.desk.proposals.drop(self.work.key)
            raise _rejected(error) from error
        try:
            return self._ask(Refusal(proposal.result, error.code, error.message, error.findings))
        except Refused:
            self.desk.proposals.drop(self.work.key)
            raise


def _rejected(error: GitmemError) -> Refused:
    code = Code.WRITER_BUDGET_EXCEEDED if error.code is Code.WRITER_BUDGET_EXCEEDED else Code.COMMIT_REJECTED
    message = f"the writer's result was refused twice: {error.message}"
    return Refused(code, message, path=error.path, findings=error.findings)


def _reasons(result: WriterResult) -> str | None:
    """Why each block was removed, for the commit (0.19)."""
    lines = [
        f"removed ^{block}: {excerpt(reason, _LONGEST_REASON)}" for block, reason in sorted(result.reasons.items())
    ]
    return "\n".join(lines) or None
