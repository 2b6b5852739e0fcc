"""Writing up what was archived and is cited by no topic (``behaviours.md`` part 11).

A message may be uncited because it came in without a writer (an adopted workspace, a legacy archive, a promotion), or
because a writer found nothing in it. Marks are not consulted; every trusted message is given to a writer once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gitmem.checks.secret_masking import masked
from gitmem.errors import GitmemError
from gitmem.request import Request, Surface
from gitmem.writer.agent_writer import AgentWriter
from gitmem.writer.base import Batch, BatchTurn
from gitmem.writer.batches import batches
from gitmem.writer.earlier import MOST_TURNS, written_of
from gitmem.writer.folding import Removals, Work, carry_out
from gitmem.writer.organizer_prompt import backfilling
from gitmem.writer.proposals import proposal_key
from gitmem.writer.write import WriteFailure, writer_author

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gitmem.authority import Authority
    from gitmem.format.model import Record
    from gitmem.ids import SourceId
    from gitmem.store.tree import Tree
    from gitmem.writer.backfill_ledger import Ledger
    from gitmem.writer.base import Memory, Refusal, Writer, WriterResult
    from gitmem.writer.folding import Desk

SPEAKING = frozenset({"user", "assistant"})
MACHINERY = frozenset({"system", "tool"})
"""Labels of messages that nobody said; no writer is given them."""


@dataclass(frozen=True, slots=True)
class BackfillAnswer:
    """What backfilling came to (11.3).

    ``status`` is ``ok``, or ``incomplete`` when a batch failed; ``failure`` says why. ``candidates`` is how many
    messages there were to read, ``processed`` how many of them were, ``remaining`` how many are left for the next time.
    """

    status: str
    candidates: int
    processed: int
    remaining: int
    revision: str | None
    failure: WriteFailure | None


@dataclass(frozen=True, slots=True)
class Backfilling:
    """How to go about it: ``writer`` is asked for when there is something to read, and only then (11.3).

    ``threshold`` is in tokens of ``count``: a batch is the leading messages that reach it, at least one (11.4).
    ``on_batch`` is told how many messages were read so far, of how many.
    """

    writer: Callable[[], Writer]
    threshold: int
    count: Callable[[str], int]
    max_removed_share: float
    on_batch: Callable[[int, int], None] = lambda _done, _of: None


def candidates(uncited: Iterable[Record], ledger: Ledger) -> tuple[Record, ...]:
    """The messages that were not given to a writer yet, by archive and in its order, each handle once."""
    found = {record.handle: record for record in uncited if record.label not in MACHINERY}
    return tuple(record for record in found.values() if not ledger.has(record.handle))


def backfill(desk: Desk, records: Sequence[Record], ledger: Ledger, how: Backfilling) -> BackfillAnswer:
    """Give the records to a writer batch by batch, each one transaction; the first failure ends it (11.4).

    A failed batch leaves no trace, and the next call begins with it.
    """
    done, failure = 0, None
    if records:
        run = _Run(desk, how, ledger, records)
        failure = run.read_all([_turn(record, desk.tree) for record in records])
        done = run.done
    return BackfillAnswer(
        status="ok" if failure is None else "incomplete",
        candidates=len(records),
        processed=done,
        remaining=len(records) - done,
        revision=desk.revision,
        failure=failure,
    )


class _Run:
    def __init__(self, desk: Desk, how: Backfilling, ledger: Ledger, records: Sequence[Record]) -> None:
        self._desk, self._how, self._ledger = desk, how, ledger
        self._of = len(records)
        self._removals = Removals.of(desk.blocks, how.max_removed_share)
        self._written = written_of(_before(records, desk.tree, ledger), desk.facts)
        self._size = self._written.turns + len(records)
        self.done = 0

    def read_all(self, turns: Sequence[BatchTurn]) -> WriteFailure | None:
        try:
            writer = self._how.writer()
            for shown in batches(turns, self._how.threshold, self._how.count, force=True):
                self._read(writer, Batch(shown, self._size, self._written))
        except GitmemError as error:
            return WriteFailure(error.code, masked(error.message), error.retryable)
        return None

    def _read(self, writer: Writer, batch: Batch) -> None:
        result, _ = carry_out(self._desk, self._work(writer, batch), self._removals)
        self._written = self._written.and_then(batch, result)
        self._ledger.add(turn.handle for turn in batch.turns)
        self.done += len(batch.turns)
        self._how.on_batch(self.done, self._of)

    def _work(self, writer: Writer, batch: Batch) -> Work:
        handles = [turn.handle for turn in batch.turns]
        return Work(
            key=proposal_key(f"{writer.signature} backfill", handles),
            propose=partial(_distill, writer, batch),
            request=partial(_request, batch, writer.signature, self._desk.authority),
            repairs=writer.repairs,
        )


def _before(records: Sequence[Record], tree: Tree, ledger: Ledger) -> Sequence[SourceId]:
    """The messages that stand right before the records and were read by an earlier call."""
    first = records[0]
    archive = tree.archive(first.path)
    standing = archive.records if archive is not None else ()
    earlier = [one.handle for one in standing if one.line < first.line and ledger.has(one.handle)]
    return earlier[-MOST_TURNS:]


def _distill(writer: Writer, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
    """Ask the writer; an agent is told besides that the records are old."""
    if isinstance(writer, AgentWriter):
        return writer.run(backfilling(batch, memory, writer.zone), memory, refusal)
    return writer.distill(batch, memory, refusal)


def _request(batch: Batch, signature: str, authority: Authority, result: WriterResult) -> Request:
    return Request(
        edit=result.edit,
        authority=authority,
        surface=Surface.BACKFILL,
        author=writer_author(signature),
        limited=False,
        evidence=frozenset(turn.handle for turn in batch.turns),
    )


def _turn(record: Record, tree: Tree) -> BatchTurn:
    """An archived message as a writer is shown it; who said it is what the archive's header says, never the body."""
    data = tree.read(record.path) or b""
    named = None if record.framed or record.label in SPEAKING else record.label
    return BatchTurn(
        handle=record.handle,
        role=_role(record),
        content=data[record.body_start : record.body_end].decode("utf-8", "replace"),
        timestamp=None if record.timestamp == "undated" else record.timestamp,
        speaker_id=record.speaker_id if record.speaker_trusted else None,
        speaker_display=record.speaker_display if record.speaker_trusted else named,
    )


def _role(record: Record) -> str:
    kind = None if record.metadata is None else record.metadata.speaker_kind
    return "assistant" if kind == "assistant" or record.label == "assistant" else "user"
