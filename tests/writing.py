"""A workspace with a conversation to write up, and a writer that follows a script."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitmem.ids import TopicPath
from gitmem.request import FilesEdit, FileWrite
from gitmem.workspace import Workspace
from gitmem.writer.base import WriterResult
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.writer.base import Batch, Memory, Refusal

    Step = Callable[[Batch, Memory, Refusal | None], object]

SESSION = "import/talk"
NOTES = TopicPath("topics/notes.md")
PEOPLE = TopicPath("topics/people/ada.md")


@dataclass
class Scripted:
    """Does one step of its script for each call, the last one again and again; remembers what it was told."""

    script: list[Step]
    name: str = "scripted"
    signature: str = "scripted one"
    repairs: bool = True
    told: list[Refusal | None] = field(default_factory=list)

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        step = self.script[min(len(self.told), len(self.script) - 1)]
        self.told.append(refusal)
        return step(batch, memory, refusal)  # type: ignore[return-value]  (some scripts give back nonsense)


def workspace_with(folder: Path, *contents: str, tokens: int = 0, threads: int = 1, **config: float) -> Workspace:
    """A new workspace in which the contents were said, ``m1`` and so on; ``tokens`` makes batches of that size."""
    made = make(folder)
    for thread in range(threads):
        file = folder.parent / f"talk{thread or ''}.jsonl"
        lines = ({"id": f"m{place}", "content": content} for place, content in enumerate(contents, 1))
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        made.ingest([file])
    settings = {**({"writer_trigger_tokens": tokens} if tokens else {}), **config}
    return Workspace.open(folder, ME, replace(QUICK, **settings))  # type: ignore[arg-type]


def added(memory: Memory, path: TopicPath, *claims: tuple[str, str]) -> FileWrite:
    """A file with more claims at its end, each with the reference it rests on."""
    more = "".join(
        f"\n{text}[^n{place}]\n\n[^n{place}]: Time: `2024-03-15`; Sources: [said]({ref})\n"
        for place, (text, ref) in enumerate(claims)
    )
    return FileWrite(path, (memory.text(path) or "# Notes\n") + more)


def noting(batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG001
    """A step: every turn is a claim of one file."""
    claims = ((turn.content, turn.handle) for turn in batch.turns)
    return WriterResult(FilesEdit((added(memory, NOTES, *claims),)))


def written(workspace: Workspace, path: TopicPath = NOTES) -> list[str]:
    """The prose of a file's blocks."""
    return [claim.content for claim in workspace.memory().facts.of_topic(path)]
