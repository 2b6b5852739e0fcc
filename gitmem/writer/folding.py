"""One piece of a writer's work, from its proposal to the transaction (``behaviours.md`` 0.16, 10.4 to 10.6)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from gitmem.errors import Code, Conflict, GitmemError, Refused, Unavailable
from gitmem.format.layout import is_topic
from gitmem.ids import TopicPath
from gitmem.request import NoEdit, RemovalBudget
from gitmem.writer.base import Refusal, WriterResult
from gitmem.writer.proposals import Proposal, propose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.conversations.model import NodeId
    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.format.model import Claim
    from gitmem.ids import BlockId, Revision
    from gitmem.request import Authority, Request
    from gitmem.store.tree import Tree
    from gitmem.writer.base import Memory
    from gitmem.writer.proposals import Proposals

ATTEMPTS = 3
"""How often a piece of work is tried because the memory moved meanwhile, before the caller is told to try again."""

REMOVALS_AT_LEAST = 3
"""Blocks that a run may remove however small the memory is."""


@dataclass(frozen=True, slots=True)
class Installed:
    """What became of one request; without ``revision`` in a dry run. ``removed`` are the blocks that are gone."""

    revision: str | None
    derived_commit: str | None
    source_ids: tuple[str, ...]
    block_ids: tuple[str, ...]
    changed_files: tuple[str, ...] = ()
    removed: tuple[BlockId, ...] = ()


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

    def difference(self) -> ClaimsDiff:
        """What all requests together changed."""
        ...


@dataclass(frozen=True, slots=True)
class Work:
    """One piece of work: who proposes what, and the request that a proposal becomes.

    ``key`` names it for ``Proposals``. ``propose`` asks the writer, with what became of its proposal the second time;
    ``request`` gives everything of the transaction but its base and its removal budget. ``repairs``: the writer is told
    once of a refusal, and its proposals are kept. ``nodes`` are marked when it is installed.
    """

    key: str
    propose: Callable[[Memory, Refusal | None], WriterResult]
    request: Callable[[WriterResult], Request]
    repairs: bool = False
    nodes: tuple[NodeId, ...] = ()


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
        return RemovalBudget(self.left, result.seen)


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
    _asked: bool = field(default=False)

    def run(self) -> tuple[WriterResult, Installed]:
        proposal = self._kept() or self._ask(None)
        for attempt in range(ATTEMPTS):
            try:
                installed = self._install(proposal)
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
                if not (self.work.repairs and proposal.stands(self.desk.tree)):
                    proposal = self._ask(None)
            except Unavailable:
                raise
            except GitmemError as error:
                proposal = self._repaired(proposal, error)
            else:
                self.work_done(installed)
                return proposal.result, installed
        raise Refused(Code.COMMIT_REJECTED, "the writer's result could not be installed")  # pragma: no cover

    def work_done(self, installed: Installed) -> None:
        self.removals.left -= len(installed.removed)
        if self.work.repairs and not self.desk.dry_run:
            self.desk.proposals.drop(self.work.key)

    def _kept(self) -> Proposal | None:
        found = self.desk.proposals.find(self.work.key) if self.work.repairs else None
        return found if found is not None and found.stands(self.desk.tree) else None

    def _ask(self, refusal: Refusal | None) -> Proposal:
        result = _ask(self.work, WriterMemory(self.desk.facts, self.desk.tree), refusal)
        if isinstance(result.edit, NoEdit) and not result.nothing_to_record:
            message = "the writer changed nothing and did not say that there is nothing to record"
            raise Refused(Code.WRITER_NO_PROGRESS, message)
        proposal = propose(result, self.desk.tree, repaired=refusal is not None)
        if self.work.repairs:
            self.desk.proposals.keep(self.work.key, proposal)
        return proposal

    def _install(self, proposal: Proposal) -> Installed:
        request = self.work.request(proposal.result)
        budget = self.removals.budget(proposal.result)
        return self.desk.install(
            replace(request, base_revision=self.desk.revision, removals=budget, body=_reasons(proposal.result)),
            self.work.nodes,
        )

    def _repaired(self, proposal: Proposal, error: GitmemError) -> Proposal:
        """Tell the writer once; who was told already, or cannot mend anything, has failed."""
        if not self.work.repairs:
            raise error
        if proposal.repaired:
            self.desk.proposals.drop(self.work.key)
            raise _rejected(error) from error
        try:
            return self._ask(Refusal(proposal.result, error.code, error.message, error.findings))
        except Refused:
            self.desk.proposals.drop(self.work.key)
            raise


def _ask(work: Work, memory: Memory, refusal: Refusal | None) -> WriterResult:
    try:
        return work.propose(memory, refusal)
    except GitmemError:
        raise
    except Exception as error:
        # A writer is anybody's code: whatever it does, it takes nobody down.
        message = f"the writer failed: {type(error).__name__}"
        raise Refused(Code.WRITER_FAILURE_UNKNOWN, message) from error


def _rejected(error: GitmemError) -> Refused:
    code = Code.WRITER_BUDGET_EXCEEDED if error.code is Code.WRITER_BUDGET_EXCEEDED else Code.COMMIT_REJECTED
    message = f"the writer's result was refused twice: {error.message}"
    return Refused(code, message, path=error.path, findings=error.findings)


def _reasons(result: WriterResult) -> str | None:
    """Why each block was removed, for the commit (0.19)."""
    lines = [f"removed ^{block}: {' '.join(reason.split())}" for block, reason in sorted(result.reasons.items())]
    return "\n".join(lines) or None


@dataclass(frozen=True, slots=True)
class WriterMemory:
    """The little of the memory that a writer reads."""

    facts: Facts
    tree: Tree

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        """The topic files directly inside a folder."""
        names = (f"{folder}/{name}" for name in self.tree.names(folder))
        return tuple(TopicPath(path) for path in names if is_topic(path))

    def paths(self) -> tuple[TopicPath, ...]:
        """Every topic file."""
        return tuple(sorted(_topics(self.tree)))

    def text(self, path: TopicPath) -> str | None:
        """A topic file; what is not UTF-8 in it is shown as replacement characters."""
        data = self.tree.read(path) if is_topic(path) else None
        return None if data is None else data.decode("utf-8", "replace")

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        """The claims of one file."""
        return self.facts.of_topic(path)


def _topics(tree: Tree) -> Iterator[TopicPath]:
    for entry in tree.entries("topics"):
        if is_topic(entry.path):
            yield TopicPath(entry.path)
