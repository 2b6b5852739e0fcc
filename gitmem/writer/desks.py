"""The two places a writer's results go: the memory itself, with marks, and a rehearsal that is thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.facts.difference import claims_between, removed_between
from gitmem.ids import Oid
from gitmem.memory import read_memory
from gitmem.request import DeleteRecord, NoEdit, RecordsEdit
from gitmem.store.head import read_head
from gitmem.transaction.commit import commit
from gitmem.writer.folding import Installed
from gitmem.writer.marking import Marking
from gitmem.writer.proposals import KeptProposals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.authority import Authority
    from gitmem.catalog.catalog import Catalog
    from gitmem.conversations.model import NodeId
    from gitmem.conversations.store import ConversationStore
    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.ids import BlockId, Revision, SourceId, WorkspaceId
    from gitmem.memory import Memory
    from gitmem.request import Request
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree
    from gitmem.transaction.options import Options
    from gitmem.transaction.rehearsal import Rehearsal
    from gitmem.writer.proposals import Proposals


class MemoryDesk:
    """Installs into the memory: sources and topics are one transaction; marks follow, by ``close`` at the latest."""

    dry_run = False

    def __init__(  # noqa: PLR0913, PLR0917  (everything that a write touches)
        self,
        repo: Repo,
        catalog: Catalog,
        options: Options,
        store: ConversationStore,
        workspace: WorkspaceId,
        authority: Authority,
    ) -> None:
        """Begin with the current memory."""
        self.authority = authority
        self._repo, self._catalog, self._options = repo, catalog, options
        self._marking = Marking(store, workspace, options.on_step)
        self._memory = self._read()
        self._begin = self._memory.snapshot
        self.blocks = catalog.statistics().blocks
        self.proposals = KeptProposals(repo.gitmem_dir)

    @property
    def revision(self) -> Revision | None:
        """The memory's newest revision."""
        return self._memory.revision

    @property
    def facts(self) -> Facts:
        """What is known of it."""
        return self._memory.facts

    @property
    def tree(self) -> Tree:
        """Its files."""
        return self._memory.snapshot

    def install(self, request: Request, nodes: Sequence[NodeId] = ()) -> Installed:
        """Commit, and mark. A conflict leaves the desk with the memory as it is now, so that the caller can repeat."""
        before = self._memory.snapshot
        try:
            result = commit(self._repo, self._catalog, request, self._options)
        finally:
            self._memory = self._read()
        if result.revision is not None and nodes:
            self._marking.add(nodes, Oid(result.revision))
        return Installed(
            result.revision,
            result.derived_commit,
            _handles(request),
            tuple(result.block_ids.values()),
            result.changed_files,
            _removed(request, before, self._memory.snapshot, self._memory.facts),
            result.autosave,
            result.warnings,
        )

    def difference(self) -> ClaimsDiff:
        """What changed since the desk was opened."""
        after = self._memory.snapshot
        return claims_between(self._begin, after, after.changes(self._begin))

    def settle(self) -> None:
        """Mark what was written and is not marked yet."""
        self._marking.finish()

    def close(self) -> None:
        """End as ``settle`` does, whatever happened."""
        self.settle()

    def _read(self) -> Memory:
        return read_memory(self._repo, self._catalog, read_head(self._repo).tip)


class RehearsalDesk:
    """Installs into a rehearsal; nothing is marked."""

    dry_run = True

    def __init__(
        self,
        rehearsal: Rehearsal,
        revision: Revision | None,
        authority: Authority,
        blocks: int,
        proposals: Proposals,
    ) -> None:
        """Begin with the rehearsal's state; ``revision`` and ``blocks`` are the memory's.

        What a writer proposes here is kept, so that the write that follows need not ask it again.
        """
        self.authority = authority
        self._rehearsal = rehearsal
        self._revision = revision
        self.blocks = blocks
        self.proposals = proposals

    @property
    def revision(self) -> Revision | None:
        """The revision that is rehearsed on: it does not move."""
        return self._revision

    @property
    def facts(self) -> Facts:
        """What would be known."""
        return self._rehearsal.facts

    @property
    def tree(self) -> Tree:
        """The files as they would be."""
        return self._rehearsal.snapshot

    def install(self, request: Request, nodes: Sequence[NodeId] = ()) -> Installed:  # noqa: ARG002  (nothing is marked)
        """Stage and check."""
        before = self._rehearsal.snapshot
        staged = self._rehearsal.carry_out(request)
        return Installed(
            None,
            None,
            _handles(request),
            tuple(staged.outcome.block_ids.values()),
            tuple(change.path for change in staged.changes),
            _removed(request, before, self._rehearsal.snapshot, self._rehearsal.facts),
        )

    def settle(self) -> None:
        """Nothing is marked."""

    def difference(self) -> ClaimsDiff:
        """What would change."""
        return self._rehearsal.difference()


def _handles(request: Request) -> tuple[SourceId, ...]:
    return tuple(source.handle for source in request.sources if source.handle is not None)


def _removed(request: Request, before: Tree, after: Tree, facts: Facts) -> tuple[BlockId, ...]:
    """The blocks that a writer took away; whole files can, record operations that delete nothing cannot."""
    edit = request.edit
    if isinstance(edit, NoEdit) or (isinstance(edit, RecordsEdit) and not _deletes(edit)):
        return ()
    return tuple(claim.id for claim in removed_between(before, facts, after.changes(before)))


def _deletes(edit: RecordsEdit) -> bool:
    return any(isinstance(operation, DeleteRecord) for operation in edit.operations)
