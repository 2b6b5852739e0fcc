"""A writer that lets an agent edit the topics (``behaviours.md`` 10.6, 10.11, 10.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.request import FilesEdit, NoEdit
from gitmem.writer.base import WriterResult
from gitmem.writer.prompts import distilling, mending
from gitmem.writer.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from gitmem.ids import BlockId
    from gitmem.writer.agent import Agent, Outcome, Prompt
    from gitmem.writer.base import Batch, Memory, Refusal


@dataclass(frozen=True, slots=True)
class AgentWriter:
    """Writes through an agent. ``zone`` decides the dates over the records (10.7); ``None``: the machine's own."""

    agent: Agent
    zone: tzinfo | None = None
    repairs: bool = True

    @property
    def name(self) -> str:
        """The agent's kind."""
        return self.agent.name

    @property
    def signature(self) -> str:
        """The agent and what it runs on."""
        return self.agent.signature

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        """Have the batch folded in."""
        return self.run(distilling(batch, memory, self.zone), memory, refusal)

    def run(self, prompt: Prompt, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        """Have a task done, whatever its prompt is.

        After a refusal the agent goes on from the files of the refused result, and is told what was found.
        """
        bench = _bench(memory, refusal)
        bench.show(prompt.shown)
        outcome = self.agent.work(prompt if refusal is None else mending(prompt, refusal), bench)
        edit = bench.changes()
        nothing = isinstance(edit, NoEdit) and outcome.nothing_to_record
        return WriterResult(edit, nothing, bench.seen, _reasons(bench, outcome))


def _bench(memory: Memory, refusal: Refusal | None) -> Workbench:
    result = refusal.result if refusal is not None else WriterResult()
    edit = result.edit if isinstance(result.edit, FilesEdit) else None
    return Workbench(memory, edit, result.seen or (), result.reasons)


def _reasons(bench: Workbench, outcome: Outcome) -> Mapping[BlockId, str]:
    """One for every block that is gone, empty where the agent gave none; of the others nobody needs one."""
    known = {**bench.reasons, **outcome.reasons}
    return {block: known.get(block, "") for block in sorted(bench.removed())}
