"""Folding pending turns into topics: batch by batch, each one transaction, then its marks (``behaviours.md`` 0.16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gitmem.answers import ClaimsAnswer, claims_answer
from gitmem.conversations.pending import count_pending
from gitmem.errors import Code, Conflict, GitmemError, Refused
from gitmem.format.layout import is_topic
from gitmem.ids import TopicPath
from gitmem.request import NoEdit, Person, RecordsEdit, Request, Surface
from gitmem.writer.base import Batch, WriterResult, Written
from gitmem.writer.session_batches import due_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.conversations.marks import Standing
    from gitmem.conversations.model import NodeId, Session
    from gitmem.conversations.store import ConversationStore
    from gitmem.facts.base import Facts
    from gitmem.format.claim import ClaimsDiff
    from gitmem.format.model import Claim
    from gitmem.ids import Revision, SourceId
    from gitmem.request import Authority
    from gitmem.store.tree import Tree
    from gitmem.writer.base import Writer
    from gitmem.writer.session_batches import Due, Trigger

ATTEMPTS = 3
"""How often a batch is distilled anew because the memory moved meanwhile, before the caller is told to try again."""


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """One batch that was folded; without ``revision`` in a dry run."""

    session: str
    branch: str
    turns: int
    revision: str | None
    source_ids: tuple[str, ...]
    block_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WriteFailure:
    """Why a batch was not installed; its turns stay pending, and nothing of it is archived (0.16)."""

    reason_code: str
    message: str
    retryable: bool


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """What ``write`` did (``cli.md``, Shapes)."""

    ok: bool
    writer: str
    dry_run: bool
    revision: str | None
    derived_commit: str | None
    batches: tuple[BatchAnswer, ...]
    claims: ClaimsAnswer
    pending_turns: int
    failure: WriteFailure | None


@dataclass(frozen=True, slots=True)
class Installed:
    """What became of one request."""

    revision: str | None
    derived_commit: str | None
    source_ids: tuple[str, ...]
    block_ids: tuple[str, ...]


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

    def install(self, request: Request, nodes: Sequence[NodeId]) -> Installed:
        """Carry out the request, then mark the nodes as written by it."""
        ...

    def difference(self) -> ClaimsDiff:
        """What all requests together changed."""
        ...


@dataclass(frozen=True, slots=True)
class Inbox:
    """The conversations, and what of them counts as written."""

    store: ConversationStore
    standing: Standing
    archived: Callable[[SourceId], bool]


def write(
    desk: Desk,
    inbox: Inbox,
    sessions: Sequence[Session],
    writer: Writer,
    trigger: Trigger,
) -> WriteAnswer:
    """Fold the due batches of the conversations, oldest first; the first failure ends the run and is told (10.9)."""
    due = [batch for session in sessions for batch in due_batches(inbox.store, session, *_rest(inbox), trigger)]
    run = _Run(desk, writer, sum(len(batch.shown) for batch in due))
    failure = run.fold_all(due)
    difference = desk.difference()
    return WriteAnswer(
        ok=failure is None,
        writer=writer.name,
        dry_run=desk.dry_run,
        revision=desk.revision,
        derived_commit=run.derived_commit,
        batches=tuple(run.answers),
        claims=claims_answer(desk.facts, difference),
        pending_turns=count_pending(inbox.store, *_rest(inbox)),
        failure=failure,
    )


def _rest(inbox: Inbox) -> tuple[Standing, Callable[[SourceId], bool]]:
    return inbox.standing, inbox.archived


class _Run:
    """One call of ``write``: what was folded so far decides how much may still be written."""

    def __init__(self, desk: Desk, writer: Writer, input_turns: int) -> None:
        self._desk, self._writer, self._input_turns = desk, writer, input_turns
        self._written = Written()
        self.answers: list[BatchAnswer] = []
        self.derived_commit: str | None = None

    def fold_all(self, due: Sequence[Due]) -> WriteFailure | None:
        for batch in due:
            try:
                self.answers.append(self._fold(batch))
            except GitmemError as error:
                return WriteFailure(error.code, error.message, error.retryable)
        return None

    def _fold(self, due: Due) -> BatchAnswer:
        for attempt in range(ATTEMPTS):
            batch = Batch(due.shown, self._input_turns, self._written)
            result = self._distill(batch)
            try:
                installed = self._desk.install(self._request(due, result), due.nodes)
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
                continue
            self._written = self._written.and_then(batch, result)
            self.derived_commit = installed.derived_commit or self.derived_commit
            return BatchAnswer(
                due.session,
                due.branch,
                len(due.turns),
                installed.revision,
                installed.source_ids,
                installed.block_ids,
            )
        raise AssertionError  # pragma: no cover  (the last attempt returns or raises)

    def _distill(self, batch: Batch) -> WriterResult:
        if not batch.turns:
            return WriterResult((), nothing_to_record=True)
        result = self._writer.distill(batch, _WriterMemory(self._desk.facts, self._desk.tree))
        if not result.operations and not result.nothing_to_record:
            message = f"the {self._writer.name} writer changed nothing and did not say that there is nothing to record"
            raise Refused(Code.WRITER_NO_PROGRESS, message)
        return result

    def _request(self, due: Due, result: WriterResult) -> Request:
        return Request(
            edit=RecordsEdit(result.operations) if result.operations else NoEdit(),
            authority=self._desk.authority,
            surface=Surface.BACKGROUND,
            author=Person(f"gitmem {self._writer.name} writer", "gitmem@localhost"),
            base_revision=self._desk.revision,
            sources=due.sources,
            limited=False,
        )


@dataclass(frozen=True, slots=True)
class _WriterMemory:
    """The little of the memory that a writer reads."""

    facts: Facts
    tree: Tree

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        return tuple(_topics(self.tree, folder))

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        return self.facts.of_topic(path)


def _topics(tree: Tree, folder: str) -> Iterator[TopicPath]:
    for name in tree.names(folder):
        path = f"{folder}/{name}"
        if is_topic(path):
            yield TopicPath(path)
