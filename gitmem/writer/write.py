"""Folding pending turns into topics: batch by batch, each one transaction, then its marks (``behaviours.md`` 0.16)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer, claims_answer
from gitmem.checks.secret_masking import masked
from gitmem.conversations.pending import count_pending
from gitmem.errors import Code, GitmemError, Refused
from gitmem.request import Person, Request, Surface
from gitmem.writer.base import Batch, WriterResult, Written
from gitmem.writer.earlier import Counted
from gitmem.writer.folding import Removals, Work, carry_out
from gitmem.writer.limits import LONG_INPUT
from gitmem.writer.overtaken import Overtaken, refuse_if_overtaken
from gitmem.writer.proposals import proposal_key
from gitmem.writer.session_batches import due_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.authority import Authority
    from gitmem.conversations.marks import Standing
    from gitmem.conversations.model import Session
    from gitmem.conversations.store import ConversationStore
    from gitmem.ids import SourceId
    from gitmem.writer.base import Memory, Refusal, Writer
    from gitmem.writer.folding import Desk, Installed
    from gitmem.writer.session_batches import Due, Trigger

OF_THE_BATCH = frozenset({Code.MODEL_CONTEXT_LENGTH, Code.MODEL_CONTENT_POLICY})
"""Failures of the model that are about what one batch holds: other conversations may still be written."""


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
class SessionFailure:
    """A conversation of which a batch was not installed, and why."""

    session: str
    reason_code: str
    message: str
    retryable: bool


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """What ``write`` did (``cli.md``, Shapes). ``failure`` is the first of ``failures``, one for each conversation."""

    ok: bool
    writer: str
    dry_run: bool
    revision: str | None
    derived_commit: str | None
    batches: tuple[BatchAnswer, ...]
    claims: ClaimsAnswer
    pending_turns: int
    failure: WriteFailure | None
    failures: tuple[SessionFailure, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inbox:
    """The conversations, and what of them counts as written."""

    store: ConversationStore
    standing: Standing
    archived: Callable[[SourceId], bool]


@dataclass(frozen=True, slots=True)
class Pass:
    """How one call of ``write`` goes about it: who writes, when a batch is due, what may be removed.

    ``max_removed_share`` is a share of all blocks. ``on_batch`` is told of every batch that was folded.
    """

    writer: Writer
    trigger: Trigger
    max_removed_share: float
    on_batch: Callable[[BatchAnswer], None] = lambda _batch: None


@dataclass(frozen=True, slots=True)
class Folded:
    """What became of the due batches: those that were installed, and one failure for each conversation that has one."""

    writer: str
    dry_run: bool
    derived_commit: str | None
    batches: tuple[BatchAnswer, ...]
    failures: tuple[SessionFailure, ...]
    warnings: tuple[str, ...] = ()


def fold(desk: Desk, inbox: Inbox, sessions: Sequence[Session], how: Pass) -> Folded:
    """Fold the due batches of the conversations, oldest first; other conversations are not looked at.

    A batch that is refused ends its conversation's turn, and the next conversation is looked at; a failure that the
    others would meet too (an endpoint that does not answer, a held lock) ends the run.
    """
    run = _Run(desk, how, inbox)
    run.fold_all(_due(inbox, sessions, how.trigger))
    return Folded(
        how.writer.name, desk.dry_run, run.derived_commit, tuple(run.answers), tuple(run.failures), run.warnings
    )


def write(desk: Desk, inbox: Inbox, sessions: Sequence[Session], how: Pass) -> WriteAnswer:
    """Fold, and say what came of it in full; what goes wrong is in the answer (10.9)."""
    folded = fold(desk, inbox, sessions, how)
    desk.settle()  # what is marked is not looked at again to say what is pending
    difference = desk.difference()
    first = next(iter(folded.failures), None)
    return WriteAnswer(
        ok=first is None,
        writer=folded.writer,
        dry_run=folded.dry_run,
        revision=desk.revision,
        derived_commit=folded.derived_commit,
        batches=folded.batches,
        claims=claims_answer(desk.facts, difference),
        pending_turns=count_pending(inbox.store, inbox.standing, inbox.archived),
        failure=None if first is None else WriteFailure(first.reason_code, first.message, first.retryable),
        failures=folded.failures,
        warnings=folded.warnings,
    )


def _due(inbox: Inbox, sessions: Sequence[Session], trigger: Trigger) -> Iterator[Due]:
    """Every batch, as it is come to: a conversation is read when the ones before it are done."""
    for session in sessions:
        yield from due_batches(inbox.store, session, inbox.standing, inbox.archived, trigger)


class _Run:
    """One call of ``write``: what was folded so far decides how much may still be written, and removed."""

    def __init__(self, desk: Desk, how: Pass, inbox: Inbox) -> None:
        self._desk, self._how, self._archived = desk, how, inbox.archived
        self._counted = Counted(inbox.store)
        self._written = Written()
        self._removals = Removals.of(desk.blocks, how.max_removed_share)
        self._input_turns = 0
        self.answers: list[BatchAnswer] = []
        self.failures: list[SessionFailure] = []
        self.derived_commit: str | None = None
        self._warnings: dict[str, None] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the transactions met, each once."""
        return tuple(self._warnings)

    def fold_all(self, due: Iterator[Due]) -> None:
        failed: set[str] = set()
        for batch in self._looked_ahead(self._counting(due)):
            if batch.session in failed:
                continue
            try:
                self.answers.append(self._fold(batch))
            except GitmemError as error:
                if isinstance(error, Overtaken) and not error.left:
                    continue
                self.failures.append(SessionFailure(batch.session, error.code, masked(error.message), error.retryable))
                failed.add(batch.session)
                if not (isinstance(error, Refused | Overtaken) or error.code in OF_THE_BATCH):
                    return
            else:
                self._how.on_batch(self.answers[-1])

    def _counting(self, due: Iterator[Due]) -> Iterator[Due]:
        """Count the batches as they are come to, with what earlier runs wrote of the turns before them."""
        for batch in due:
            earlier = self._counted.before(batch, self._desk.facts)
            self._written += earlier
            self._input_turns += earlier.turns + len(batch.shown)
            yield batch

    def _looked_ahead(self, due: Iterator[Due]) -> Iterator[Due]:
        """Read on until the size of the input is known well enough: from 100 turns on the same rates hold for any."""
        first: list[Due] = []
        for batch in due:
            first.append(batch)
            if self._input_turns >= LONG_INPUT:
                break
        return chain(first, due)

    def _fold(self, due: Due) -> BatchAnswer:
        batch = Batch(due.shown, self._input_turns, self._written)
        result, installed = carry_out(self._desk, self._work(due, batch), self._removals)
        self._written = self._written.and_then(batch, result)
        self.derived_commit = installed.derived_commit or self.derived_commit
        self._warnings.update(dict.fromkeys(installed.warnings))
        return _answer(due, installed)

    def _work(self, due: Due, batch: Batch) -> Work:
        writer = self._how.writer
        handles = [turn.handle for turn in batch.turns]
        return Work(
            key=proposal_key(f"{writer.signature} distill", handles),
            propose=partial(self._propose, due, batch),
            request=partial(self._request, due),
            repairs=writer.repairs and bool(batch.turns),
            nodes=due.nodes,
        )

    def _propose(self, due: Due, batch: Batch, memory: Memory, refusal: Refusal | None) -> WriterResult:
        refuse_if_overtaken(due.turns, self._archived)
        return _distill(self._how.writer, batch, memory, refusal)

    def _request(self, due: Due, result: WriterResult) -> Request:
        refuse_if_overtaken(due.turns, self._archived)
        return _request(due, self._how.writer, self._desk.authority, result)


def _distill(writer: Writer, batch: Batch, memory: Memory, refusal: Refusal | None) -> WriterResult:
    """Ask the writer; a batch of which it may see nothing holds nothing to record (8.18)."""
    return writer.distill(batch, memory, refusal) if batch.turns else WriterResult(nothing_to_record=True)


def _request(due: Due, writer: Writer, authority: Authority, result: WriterResult) -> Request:
    sources = due.sources
    return Request(
        edit=result.edit,
        authority=authority,
        surface=Surface.BACKGROUND,
        author=writer_author(writer.signature),
        sources=sources,
        limited=False,
        evidence=frozenset(source.handle for source in sources if source.handle is not None),
    )


def writer_author(signature: str) -> Person:
    """The author of a writer's commits."""
    return Person(f"gitmem {signature} writer", "gitmem@localhost")


def _answer(due: Due, installed: Installed) -> BatchAnswer:
    return BatchAnswer(
        due.session, due.branch, len(due.turns), installed.revision, installed.source_ids, installed.block_ids
    )
