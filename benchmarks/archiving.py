"""P7: ingesting and archiving many messages, each step in a process of its own, so that its peak memory is its own.

``python -m benchmarks.archiving --count 100000`` prints every figure. What is counted: all messages of the file, and
the time from the call of the library to its return, opening and starting up left out. Archiving is ``write --force``
with a writer that says that there is nothing to record; ``embedded`` is the same with the embedded writer.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Self

from benchmarks.bench import Measure, timed
from benchmarks.messages import OWNER, Conversations
from gitmem.config import Config
from gitmem.format.layout import SESSIONS_PREFIX
from gitmem.request import Person
from gitmem.workspace import Caller, Workspace
from gitmem.writer.base import WriterResult

if TYPE_CHECKING:
    from gitmem.writer.base import Batch, Memory, Refusal

CALLER = Caller(Person("Bench", "bench@example.invalid"))
INGEST, ARCHIVE, EMBEDDED = "ingest", "archive", "embedded"
RATE = 2000
"""Messages a second, at least, for ingesting and for archiving."""
SMALL, LARGE = 20_000, 100_000
FLAT = 1.5
"""How much more memory five times as many messages may take."""
ARCHIVES, CONVERSATIONS = 0.7, 2.5
"""Packed bytes for each byte of the raw text, at most."""


@dataclass(frozen=True)
class NothingToRecord:
    """A writer that reads its batches and says so."""

    name: str = "nothing"
    signature: str = "nothing"
    repairs: bool = False

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        """Nothing."""
        return WriterResult(nothing_to_record=True)


@dataclass(frozen=True)
class Step:
    """One step: how many messages it took, in how many seconds, and the most memory its process had for itself, in MB.

    Files that are mapped, git's packs, are the kernel's cache and do not count.
    """

    messages: int
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Archiving:
    """All of it for one number of messages; sizes in bytes, after ``git gc``."""

    count: int
    bodies: int
    ingest: Step
    archive: Step
    conversations: int
    archives: int


def measure(count: int, folder: Path) -> Archiving:
    """Generate, ingest and archive so many messages in a new workspace in ``folder``."""
    export, workspace = folder / f"{count}.jsonl", folder / f"workspace-{count}"
    bodies = Conversations(count).write(export)
    ingest = run(INGEST, workspace, export)
    archive = run(ARCHIVE, workspace, export)
    subprocess.run(["git", "-C", str(workspace), "gc", "--quiet"], check=True)
    conversations = packed(workspace, f"--glob={SESSIONS_PREFIX}*")
    return Archiving(count, bodies, ingest, archive, conversations, packed(workspace, "HEAD"))


def run(step: str, workspace: Path, export: Path) -> Step:
    """One step in a new process."""
    command = [sys.executable, "-m", "benchmarks.archiving", "--step", step, str(workspace), str(export)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Step(**json.loads(done.stdout))


def packed(workspace: Path, revisions: str) -> int:
    """The bytes that everything reachable from revisions takes on disk."""
    command = ["git", "-C", str(workspace), "rev-list", "--objects", "--disk-usage", revisions]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measures(small: Archiving, large: Archiving) -> list[Measure]:
    """P7 as lines of the table."""
    of = f"{large.count:,} messages"
    found = [
        Measure("P7", f"{what} {of}", step.seconds, f"{RATE:,} a second", step.messages / RATE, 1.0)
        for what, step in (("ingesting", large.ingest), ("archiving", large.archive))
    ]
    found += [
        Measure("P7", f"memory {what} {of}", more, f"{small.count:,}", less, FLAT, unit="MB")
        for what, more, less in (
            ("ingesting", large.ingest.megabytes, small.ingest.megabytes),
            ("archiving", large.archive.megabytes, small.archive.megabytes),
        )
    ]
    sizes = (("archives", large.archives, ARCHIVES), ("conversations", large.conversations, CONVERSATIONS))
    return found + [
        Measure("P7", f"packed {what} of {of}", size / 1e6, "the raw text", large.bodies / 1e6, limit, unit="MB")
        for what, size, limit in sizes
    ]


# --- in the process of a step


def _step(step: str, folder: Path, export: Path) -> Step:
    if step == INGEST:
        Workspace.create(folder, CALLER)
    with Workspace.open(folder, CALLER, Config()) as workspace, Peak() as peak:
        taken: list[int] = []
        friends = _friends(export) if step == INGEST else []
        seconds = timed(lambda: taken.append(_carry_out(step, workspace, export, friends)))
    return Step(taken[0], seconds, peak.megabytes)


class Peak:
    """The most memory of its own that this process has while the context lasts, looked at every so often."""

    _STATUS = Path("/proc/self/status")
    _EVERY = 0.05

    def __init__(self) -> None:
        """Begin with ``with``."""
        self.megabytes = 0.0
        self._over = Event()
        self._watching = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._watching.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End with a last look."""
        self._over.set()
        self._watching.join()

    def _watch(self) -> None:
        while True:
            self.megabytes = max(self.megabytes, self._now())
            if self._over.wait(self._EVERY):
                return

    def _now(self) -> float:
        if not self._STATUS.exists():  # not Linux: with what is mapped
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        line = next(line for line in self._STATUS.read_text().splitlines() if line.startswith("RssAnon:"))
        return int(line.split()[1]) / 1024


def _friends(export: Path) -> list[str]:
    """Who speaks in the file besides the owner."""
    with export.open(encoding="utf-8") as file:
        speakers = {json.loads(line).get("speaker_id") for line in file}
    return sorted(speakers - {None, OWNER[0]})


def _carry_out(step: str, workspace: Workspace, export: Path, friends: list[str]) -> int:
    if step == INGEST:
        report = workspace.ingest([export], owner=OWNER[0], paired=friends)
        return sum(session.new for session in report.sessions)
    answer = workspace.write(force=True, writer=NothingToRecord() if step == ARCHIVE else EMBEDDED)
    if not answer.ok or answer.pending_turns:
        raise AssertionError(answer.failure)
    return sum(batch.turns for batch in answer.batches)


def main() -> None:
    """Carry out one step and print what it took, or all steps for a number of messages."""
    parser = argparse.ArgumentParser(prog="benchmarks.archiving", description=__doc__)
    parser.add_argument("--step", nargs=3, metavar=("STEP", "WORKSPACE", "FILE"))
    parser.add_argument("--count", type=int, default=LARGE)
    given = parser.parse_args()
    if given.step:
        step, folder, export = given.step
        sys.stdout.write(json.dumps(vars(_step(step, Path(folder), Path(export)))))
        return
    with tempfile.TemporaryDirectory(prefix="gitmem-archiving-") as folder:
        sys.stdout.write(f"{measure(given.count, Path(folder))}\n")


if __name__ == "__main__":
    main()
