"""Writers that note what they are shown: one claim for each turn, in one file, citing the turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.ids import TopicPath
from gitmem.request import CreateRecord, Destination, RecordsEdit, SourceRef
from gitmem.writer.base import WriterResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.writer.base import Batch, BatchTurn, Memory, Refusal

TOPIC = TopicPath("topics/notes.md")


@dataclass
class Noting:
    """Remembers every turn that it was shown; ``prose`` says what becomes of one, ``None`` records nothing of it."""

    prose: Callable[[BatchTurn], str | None] = lambda turn: f"Noted {turn.handle.rpartition('/')[2]}."
    name: str = "noting"
    signature: str = "noting"
    repairs: bool = False
    shown: list[tuple[BatchTurn, ...]] = field(default_factory=list)

    @property
    def ids(self) -> list[list[str]]:
        """The ids of the turns of each batch."""
        return [[turn.handle.rpartition("/")[2] for turn in batch] for batch in self.shown]

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        self.shown.append(batch.turns)
        noted = [(turn, prose) for turn in batch.turns if (prose := self.prose(turn)) is not None]
        if not noted:
            return WriterResult(nothing_to_record=True)
        place = Destination(TOPIC, ("Notes",))
        return WriterResult(
            RecordsEdit(
                tuple(
                    CreateRecord(prose, "2026-08-09", (SourceRef(turn.handle, "said"),), place) for turn, prose in noted
                )
            )
        )
