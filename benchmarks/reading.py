"""P5 and P8: keeping the catalogue up to date, and asking for the status in a new process."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bench import Measure, timed
from benchmarks.writing import TIMES, Bench
from gitmem.catalog.catalog import Catalog
from gitmem.store.head import read_head

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = 15


def measure_catalogue(folder: Path, sizes: tuple[int, ...]) -> list[Measure]:
    """P5: bringing the catalogue up to date after one transaction, against building it."""
    measures = []
    for size in sizes:
        bench = Bench(folder / f"w{size}", size)
        catalog = Catalog.open(bench.workspace.repo)
        refreshes = []
        for _ in range(TIMES):
            bench.commit(link=False)
            tip = read_head(bench.workspace.repo).tip
            refreshes.append(timed(lambda: catalog.refresh(tip)))  # noqa: B023  (called at once)
        catalog.close()
        bench.workspace.close()
        for file in bench.workspace.repo.gitmem_dir.glob("index.sqlite*"):
            file.unlink()
        fresh = Catalog.open(bench.workspace.repo)
        built = timed(lambda: fresh.refresh(tip))  # noqa: B023  (called at once)
        fresh.close()
        what, limit = f"refreshing the catalogue, {size:,} blocks", 200.0 if size == max(sizes) else 1.0
        measures.append(Measure("P5", what, statistics.median(refreshes), "building it", built, limit, at_least=True))
        shutil.rmtree(bench.folder)
    return measures


def measure_status(folder: Path, size: int) -> list[Measure]:
    """P8: ``gitmem status --json`` in a new process, against the imports it cannot do without and ``git status``."""
    bench = Bench(folder / f"w{size}", size)
    gitmem = [str(Path(sys.executable).with_name("gitmem")), "status", "--json"]
    bare = [sys.executable, "-c", "import click, pygit2, sqlite3"]
    ours, floor = [], []
    _run(gitmem, bench.folder)
    for _ in range(ROUNDS):
        ours.append(timed(lambda: _run(gitmem, bench.folder)))
        floor.append(timed(lambda: (_run(bare, bench.folder), _run(["git", "status"], bench.folder))))
    shutil.rmtree(bench.folder)
    what = f"gitmem status --json, {size:,} blocks"
    return [Measure("P8", what, statistics.median(ours), "imports + git status", statistics.median(floor), 1.7)]


def _run(command: Sequence[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
