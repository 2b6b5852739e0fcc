"""P5 and P8: keeping the catalogue up to date, and asking for the status in a new process; and recall."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bench import Measure, timed
from benchmarks.writing import TIMES
from gitmem.catalog.catalog import Catalog
from gitmem.store.head import read_head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.writing import Bench
    from gitmem.workspace import Workspace

ROUNDS = 15
LARGE = 100_000


def measure_catalogue(bench: Bench) -> Measure:
    """P5: bringing the catalogue up to date after one transaction, against building it."""
    catalog = Catalog.open(bench.workspace.repo)
    catalog.refresh(read_head(bench.workspace.repo).tip)
    refreshes = []
    for _ in range(TIMES):
        bench.commit(link=False)
        tip = read_head(bench.workspace.repo).tip
        refreshes.append(timed(lambda: catalog.refresh(tip)))  # noqa: B023  (called at once)
    catalog.close()
    blocks = bench.workload.blocks
    limit = 200.0 if blocks >= LARGE else 1.0
    what = f"refreshing the catalogue, {blocks:,} blocks"
    return Measure("P5", what, statistics.median(refreshes), "building it", bench.building, limit, at_least=True)


RECALL_LIMIT = 0.050
"""Seconds that recall may take, warm, at 10,000 blocks: the one limit in seconds, because people wait for it."""
RECALLS = 40


def measure_recall(bench: Bench) -> tuple[Measure, Measure]:
    """What a turn waits for before it is answered, warm and the very first time in a process.

    Both stand against the limit: the first is to be within, the second tells what loading costs.
    """
    program = (
        "import sys; from pathlib import Path; from benchmarks.reading import recalls; "
        "print(*recalls(Path(sys.argv[1]), sys.argv[2:]))"
    )
    questions = bench.workload.queries(RECALLS, common=True)
    command = [sys.executable, "-c", program, str(bench.folder), *questions]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    first, warm = map(float, done.stdout.split())
    what = f"recall for a turn, fenced, {bench.workload.blocks:,} blocks"
    return (
        Measure("R1", f"{what}, warm", warm, "50 ms", RECALL_LIMIT, 1.0),
        Measure("R2", f"{what}, the first in a process", first, "50 ms", RECALL_LIMIT, 40.0),
    )


def recalls(folder: Path, questions: Sequence[str]) -> tuple[float, float]:
    """The first recall of this process, workspace opened and all, and the median of those that follow."""
    from benchmarks.writing import CALLER  # noqa: PLC0415  (what loading costs is measured)

    def first() -> Workspace:
        from gitmem.workspace import Workspace  # noqa: PLC0415  (as above)

        workspace = Workspace.open(folder, CALLER)
        workspace.recall(questions[0])
        return workspace

    opened: list[Workspace] = []
    cold = timed(lambda: opened.append(first()))
    turns = [timed(lambda: opened[0].recall(question)) for question in questions[1:]]  # noqa: B023  (called at once)
    opened[0].close()
    return cold, statistics.median(turns)


def measure_status(bench: Bench) -> Measure:
    """P8: ``gitmem status --json`` in a new process, against the imports it cannot do without and ``git status``."""
    gitmem = [str(Path(sys.executable).with_name("gitmem")), "status", "--json"]
    bare = [sys.executable, "-c", "import click, pygit2, sqlite3"]
    ours, floor = [], []
    _run(gitmem, bench.folder)
    for _ in range(ROUNDS):
        ours.append(timed(lambda: _run(gitmem, bench.folder)))
        floor.append(timed(lambda: (_run(bare, bench.folder), _run(["git", "status"], bench.folder))))
    what = f"gitmem status --json, {bench.workload.blocks:,} blocks"
    return Measure("P8", what, statistics.median(ours), "imports + git status", statistics.median(floor), 1.7)


def _run(command: Sequence[str], folder: Path) -> None:
    """Run a program as one that is installed: with its bytecode."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=kept)
