"""Conversations in a workspace's own store, and a writer whose answers a test decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitmem.conversations.model import SessionId
from gitmem.format.turn import Turn
from gitmem.ids import TopicPath
from gitmem.request import CreateRecord, Destination, RecordsEdit, SourceRef
from gitmem.writer.base import WriterResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.workspace import Workspace
    from gitmem.writer.base import Batch, Memory, Refusal

NOON = datetime(2024, 8, 10, 12, tzinfo=UTC)


def say(
    workspace: Workspace,
    session: str,
    *contents: str,
    at: datetime | None = NOON,
    role: str = "user",
    branch: str = "main",
) -> None:
    """Go on with a branch of a conversation; a new branch starts at a root of its own."""
    name, store = SessionId.parse(session), workspace.conversations
    known = store.session(name)
    standing = None if known is None else known.branch(branch)
    head = None if standing is None else standing.head
    length = 0 if head is None else sum(1 for _ in store.lineage(head))
    with store.batch() as batch:
        for number, content in enumerate(contents, start=length + 1):
            before = None if head is None else f"{branch}{number - 1}"
            turn = Turn(
                name.provider,
                name.thread,
                f"{branch}{number}",
                before,
                role,
                content,
                timestamp=None if at is None else at.isoformat(),
            )
            head = batch.add(turn, head)
        batch.point(name, branch, head, expected=None if standing is None else standing.head)


def noted(batch: Batch) -> WriterResult:
    """A result that notes every turn of a batch."""
    place = Destination(TopicPath("topics/notes.md"), ("Notes",))
    return WriterResult(
        RecordsEdit(
            tuple(
                CreateRecord(turn.content, "2024-08-10", (SourceRef(turn.handle, "said"),), place)
                for turn in batch.turns
            )
        )
    )


@dataclass
class Notetaker:
    """A writer that notes every turn it is shown; ``answer`` decides otherwise, or raises. ``shown``: what it saw."""

    answer: Callable[[Batch], WriterResult] = noted
    name: str = "notes"
    signature: str = "notes"
    repairs: bool = False
    shown: list[tuple[str, ...]] = field(default_factory=list)

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        self.shown.append(tuple(turn.content for turn in batch.turns))
        return self.answer(batch)
