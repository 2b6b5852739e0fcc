"""A writing that dies at any step goes on: no turn lost or repeated, no model asked twice (0.16, 10.10)."""

from __future__ import annotations

import json
import os
import shutil
import signal
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from gitmem.ids import SourceId, TopicPath
from gitmem.request import FilesEdit, FileWrite
from gitmem.transaction.options import STEPS, Options
from gitmem.workspace import Workspace
from gitmem.writer.base import WriterResult
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.writer.base import Batch, Memory, Refusal

TURNS = 3
NOTES = TopicPath("topics/notes.md")
DEATHS = [
    step for step in (*STEPS, "before-mark", "after-mark") if not step.endswith("autosave-ref")
]  # nothing is taken away, so no autosave is left


@dataclass(frozen=True)
class PaidWriter:
    """Adds one claim for each turn to one file, as a model would, and leaves a line in a ledger for every call."""

    ledger: Path
    name: str = "paid"
    signature: str = "paid writer"
    repairs: bool = True

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        assert refusal is None
        with self.ledger.open("a") as ledger:
            ledger.write(" ".join(turn.handle for turn in batch.turns) + "\n")
        claims = "".join(
            f"\n{turn.content}[^e{place}]\n\n[^e{place}]: Time: `2024`; Sources: [said]({turn.handle})\n"
            for place, turn in enumerate(batch.turns)
        )
        return WriterResult(FilesEdit((FileWrite(NOTES, (memory.text(NOTES) or "# Notes\n") + claims),)))


def open_small(folder: Path) -> Workspace:
    """A batch is one turn."""
    return Workspace.open(folder, ME, replace(QUICK, writer_trigger_tokens=4))


def talk(folder: Path) -> Workspace:
    workspace = make(folder)
    file = folder.parent / "talk.jsonl"
    lines = ({"id": f"m{n}", "content": f"Fact number {n} is told."} for n in range(TURNS))
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    workspace.ingest([file])
    return workspace


def write_and_die(folder: Path, ledger: Path, step: str, batch: int) -> int:
    """Write in a process that is killed at the step of the given batch, 0 the first; gives the signal that ended it."""
    child = os.fork()
    if child == 0:
        passed = 0

        def die(name: str) -> None:
            nonlocal passed
            passed += name == step
            if passed > batch:
                os.kill(os.getpid(), signal.SIGKILL)

        workspace = open_small(folder)
        workspace.options = Options(on_step=die)
        workspace.write(force=True, writer=PaidWriter(ledger))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The talk, taken in and not yet written, for every test to copy."""
    folder = tmp_path_factory.mktemp("told") / "w"
    talk(folder).close()
    return folder


@pytest.mark.parametrize("step", DEATHS)
def test_what_was_interrupted_goes_on_and_repeats_nothing(tmp_path: Path, told: Path, step: str) -> None:
    shutil.copytree(told, tmp_path / "w")
    ledger = tmp_path / "ledger"
    batch = 0 if step.endswith("mark") else 1  # marks are made together
    assert write_and_die(tmp_path / "w", ledger, step, batch) == -signal.SIGKILL

    again = open_small(tmp_path / "w")
    assert again.write(force=True, writer=PaidWriter(ledger)).ok
    assert ledger.read_text().split("\n") == [*(f"import/talk/m{n}" for n in range(TURNS)), ""]
    facts = again.memory().facts
    assert [claim.content for claim in facts.of_topic(NOTES)] == [f"Fact number {n} is told." for n in range(TURNS)]
    assert all(len(facts.sources(SourceId(f"import/talk/m{n}"))) == 1 for n in range(TURNS))
    assert again.pending_turns() == 0

    revision = again.memory().revision
    assert again.write(force=True, writer=PaidWriter(ledger)).batches == ()
    assert (again.memory().revision, len(ledger.read_text().splitlines())) == (revision, TURNS)
    assert again.check(all_history=True).ok


def test_a_dry_run_is_paid_for_once(tmp_path: Path) -> None:
    workspace = talk(tmp_path / "w")
    ledger = tmp_path / "ledger"
    shown = workspace.write(force=True, writer=PaidWriter(ledger), dry_run=True)
    written = workspace.write(force=True, writer=PaidWriter(ledger))
    assert [block.content for block in written.claims.added] == [block.content for block in shown.claims.added]
    assert len(ledger.read_text().splitlines()) == 1
