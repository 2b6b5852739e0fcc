"""Turns and memories to write from, and the operations of a writer in short."""

from __future__ import annotations

from dataclasses import dataclass, field

from gitmem.format.layout import targets_of
from gitmem.format.model import CitedEvidence, Claim, SourceLink
from gitmem.ids import BlockId, EvidenceId, SourceId, TopicPath
from gitmem.request import CreateRecord
from gitmem.writer.base import Batch, BatchTurn, NoMemory, WriterResult
from gitmem.writer.embedded import EmbeddedWriter

SAID = "2023-05-08T13:56:00"


def turn(content: str, number: int | str = 0, role: str = "user", **fields: str | None) -> BatchTurn:
    """One turn of the thread ``p/t``, said on Monday 2023-05-08 unless it says otherwise."""
    known: dict[str, str | None] = {"timestamp": SAID, **fields}
    return BatchTurn(SourceId(f"p/t/m{number}"), role, content, **known)


def talk(*contents: str, role: str = "user", **fields: str | None) -> tuple[BatchTurn, ...]:
    """Turns of one speaker."""
    return tuple(turn(content, number, role, **fields) for number, content in enumerate(contents))


@dataclass
class Shelf:
    """A memory in a dictionary: per topic file its claims."""

    files: dict[TopicPath, tuple[Claim, ...]] = field(default_factory=dict)

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        return tuple(sorted(path for path in self.files if path.rpartition("/")[0] == folder))

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        return self.files.get(path, ())

    def take(self, result: WriterResult) -> None:
        """Keep what a writer made, as a transaction would."""
        for operation in result.operations:
            if isinstance(operation, CreateRecord):
                path = operation.destination.topic_path
                held = self.files.get(path, ())
                self.files[path] = (*held, _claim(operation, len(held)))


def _claim(operation: CreateRecord, ordinal: int) -> Claim:
    path, headings = operation.destination.topic_path, operation.destination.headings
    links = tuple(SourceLink(s.label, s.source, targets_of(SourceId(s.source))[0]) for s in operation.sources)
    evidence = CitedEvidence(EvidenceId(f"e-{ordinal}"), operation.time, operation.content, links)
    block = BlockId(f"{path.removesuffix('.md').replace('/', '-')}-{ordinal}")
    return Claim(block, (), path, ordinal, ordinal, headings, operation.content, (evidence,), ())


def distill(turns: tuple[BatchTurn, ...], memory: Shelf | NoMemory | None = None) -> WriterResult:
    return EmbeddedWriter().distill(Batch(turns), memory or NoMemory())


def prose(result: WriterResult) -> list[str]:
    """The prose of the new blocks."""
    return [operation.content for operation in result.operations if isinstance(operation, CreateRecord)]


def filed(result: WriterResult) -> list[tuple[str, str | None, str]]:
    """Path, time and prose of the new blocks."""
    return [
        (operation.destination.topic_path, operation.time, operation.content)
        for operation in result.operations
        if isinstance(operation, CreateRecord)
    ]
