"""What a writer is given and what it hands back, whoever writes (``behaviours.md`` parts 9 and 10).

A writer proposes record operations; it never touches the workspace. The caller archives the batch, puts the
operations into one transaction with it, and marks the turns (0.16).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gitmem.request import CreateRecord

if TYPE_CHECKING:
    from gitmem.format.model import Claim
    from gitmem.ids import SourceId, TopicPath
    from gitmem.request import RecordOperation


@dataclass(frozen=True, slots=True)
class BatchTurn:
    """One user or assistant turn as a writer sees it: trusted, with text, its handle archived by the same transaction.

    ``role`` is ``user`` or ``assistant``; ``timestamp`` is the turn's own text (ISO 8601, or whatever an export held),
    ``None`` when unknown. Identity comes from ``speaker_id`` and ``speaker_display`` alone, never from the content
    (8.1).
    """

    handle: SourceId
    role: str
    content: str
    timestamp: str | None = None
    speaker_id: str | None = None
    speaker_display: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What was folded so far of one input: turns and bytes of their bodies; new blocks and bytes of their prose."""

    turns: int = 0
    body_bytes: int = 0
    blocks: int = 0
    prose_bytes: int = 0

    def and_then(self, batch: Batch, result: WriterResult) -> Written:
        """The same after one more batch."""
        created = [operation for operation in result.operations if isinstance(operation, CreateRecord)]
        return Written(
            self.turns + len(batch.turns),
            self.body_bytes + sum(len(turn.content.encode(errors="replace")) for turn in batch.turns),
            self.blocks + len(created),
            self.prose_bytes + sum(len(operation.content.encode()) for operation in created),
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns to fold together, oldest first.

    The limits on what may be written hold for an input as a whole, however it is cut: ``input_turns`` is how many turns
    it has over all batches and sessions that one call of ``write`` is going to fold (0: this batch is all), and
    ``written`` what its earlier batches came to.
    """

    turns: tuple[BatchTurn, ...]
    input_turns: int = 0
    written: Written = Written()


class Memory(Protocol):
    """The little that a writer reads of the memory it adds to."""

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        """The topic files directly inside a folder such as ``topics/people``, sorted."""
        ...

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        """The claims of one file in file order; empty when there is no such file."""
        ...


@dataclass(frozen=True, slots=True)
class WriterResult:
    """What a writer makes of a batch.

    ``nothing_to_record`` is the explicit statement of 0.16: the batch was read and holds nothing worth recording, so
    its sources are archived and its turns marked. It is true exactly when ``operations`` is empty for that reason.
    """

    operations: tuple[RecordOperation, ...]
    nothing_to_record: bool


class Writer(Protocol):
    """Folds one batch."""

    @property
    def name(self) -> str:
        """The writer's kind, as in ``write --writer``."""
        ...

    def distill(self, batch: Batch, memory: Memory) -> WriterResult:
        """Record operations that cite only turns of the batch (8.9, 10.12)."""
        ...


@dataclass(frozen=True, slots=True)
class NoMemory:
    """A memory that holds nothing yet."""

    def topics(self, folder: str) -> tuple[TopicPath, ...]:  # noqa: ARG002  (the protocol's signature)
        """No files."""
        return ()

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:  # noqa: ARG002  (the protocol's signature)
        """No claims."""
        return ()
