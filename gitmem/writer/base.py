"""What a writer is given and what it hands back, whoever writes (``behaviours.md`` parts 9 and 10).

A writer proposes an edit of topics; it never touches the workspace. ``gitmem.writer.folding`` puts the edit into one
transaction with the evidence, tells the writer once what the checks found, and the caller marks the turns (0.16).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from gitmem.request import CreateRecord, NoEdit, RecordsEdit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.errors import Code, Finding
    from gitmem.format.model import Claim
    from gitmem.ids import BlockId, SourceId, TopicPath
    from gitmem.request import FilesEdit, RecordOperation


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

    def __add__(self, other: Written) -> Written:
        """Both together."""
        return Written(
            self.turns + other.turns,
            self.body_bytes + other.body_bytes,
            self.blocks + other.blocks,
            self.prose_bytes + other.prose_bytes,
        )

    def and_then(self, batch: Batch, result: WriterResult) -> Written:
        """The same after one more batch."""
        created = [operation for operation in result.operations if isinstance(operation, CreateRecord)]
        return self + Written(
            len(batch.turns),
            sum(len(turn.content.encode(errors="replace")) for turn in batch.turns),
            len(created),
            sum(len(operation.content.encode()) for operation in created),
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns to fold together, oldest first.

    The limits on what may be written hold for an input as a whole, however it is cut: ``input_turns`` is how many turns
    it has over all batches and sessions that one call of ``write`` is going to fold (0: this batch is all), and those
    before them that earlier calls folded; ``written`` is what its earlier batches came to, in this call and before.
    """

    turns: tuple[BatchTurn, ...]
    input_turns: int = 0
    written: Written = Written()


class Memory(Protocol):
    """The little that a writer reads of the memory it adds to: topics, and no source archive (8.9)."""

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        """The topic files directly inside a folder such as ``topics/people``, sorted."""
        ...

    def paths(self) -> tuple[TopicPath, ...]:
        """Every topic file, sorted."""
        ...

    def text(self, path: TopicPath) -> str | None:
        """A topic file as it stands; ``None`` when there is none of that name."""
        ...

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        """The claims of one file in file order; empty when there is no such file."""
        ...


NO_EDIT = NoEdit()


@dataclass(frozen=True, slots=True)
class WriterResult:
    """What a writer proposes.

    ``nothing_to_record`` is the explicit statement of 0.16: the batch was read and holds nothing worth recording, so
    its sources are archived and its turns marked. It is true only where ``edit`` is ``NoEdit``.

    ``seen`` are the blocks whose text the writer was shown, for the destruction budget; ``None`` for a writer that
    removes nothing but what it compared. ``reasons`` says for each removed block why (0.19); an empty one
    says that the writer should have told it and did not, and then the block may not go.
    """

    edit: RecordsEdit | FilesEdit | NoEdit = NO_EDIT
    nothing_to_record: bool = False
    seen: frozenset[BlockId] | None = None
    reasons: Mapping[BlockId, str] = field(default_factory=dict)

    @property
    def operations(self) -> tuple[RecordOperation, ...]:
        """Its record operations; empty for whole files."""
        return self.edit.operations if isinstance(self.edit, RecordsEdit) else ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """What became of a result, told to its writer once, so that it can mend it (10.6).

    ``result`` is what was refused, ``code`` and ``message`` why, ``findings`` everything that the checks found.
    """

    result: WriterResult
    code: Code
    message: str
    findings: tuple[Finding, ...]


class Writer(Protocol):
    """Folds one batch."""

    @property
    def name(self) -> str:
        """The writer's kind, as in ``write --writer``."""
        ...

    @property
    def signature(self) -> str:
        """The kind and what it runs on, such as ``model openai:gpt``: the author of its commits."""
        ...

    @property
    def repairs(self) -> bool:
        """Whether a refusal is worth telling it; then its proposals are also kept until they are installed."""
        ...

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        """Propose an edit that newly cites only turns of the batch (8.9, 10.12).

        ``refusal`` is what became of its proposal for this batch, ``None`` the first time. Raises ``GitmemError`` with
        one of the failure codes when it has no proposal.
        """
        ...


@dataclass(frozen=True, slots=True)
class NoMemory:
    """A memory that holds nothing yet."""

    def topics(self, folder: str) -> tuple[TopicPath, ...]:  # noqa: ARG002  (the protocol's signature)
        """No files."""
        return ()

    def paths(self) -> tuple[TopicPath, ...]:
        """No files."""
        return ()

    def text(self, path: TopicPath) -> str | None:  # noqa: ARG002  (the protocol's signature)
        """No text."""
        return None

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:  # noqa: ARG002  (the protocol's signature)
        """No claims."""
        return ()
