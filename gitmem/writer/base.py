"""What a writer is given and what it hands back, whoever writes (``behaviours.md`` parts 9 and 10).

A writer proposes record operations; it never touches the workspace. The caller archives the batch, puts the
operations into one transaction with it, and marks the turns (0.16).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

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
class Batch:
    """Turns to fold together, oldest first.

    ``input_turns`` is how many turns the whole input has that this batch is a part of: every turn that one call of
    ``write`` is going to fold, over all its batches and sessions. The limits on what may be written follow it, so that
    cutting an input into small batches does not loosen them. ``None``: the batch is the whole input.
    """

    turns: tuple[BatchTurn, ...]
    input_turns: int | None = None


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
