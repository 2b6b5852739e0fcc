"""``python -m benchmarks [--sizes 1000,10000,100000] [--no-results] [--data FILE]``: measure, print, write down.

With ``--data`` the long talks of that file are measured too (``benchmarks.locomo``).
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import archiving
from benchmarks.archiving import LARGE, SMALL
from benchmarks.bench import table
from benchmarks.histories import measure_history
from benchmarks.hooks import measure_hooks
from benchmarks.locomo import measure_all, report
from benchmarks.reading import measure_catalogue, measure_recall, measure_status
from benchmarks.writing import (
    Bench,
    measure_bare,
    measure_growth,
    measure_refusal,
    measure_transactions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.bench import Measure

RESULTS = Path(__file__).with_name("RESULTS.md")
SIZES = (1_000, 10_000, 100_000)
STATUS_SIZE = 10_000


def main() -> int:
    """Measure what was asked for; 1 when a limit is broken."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of blocks")
    parser.add_argument("--no-results", action="store_true", help="print, and leave benchmarks/RESULTS.md as it is")
    parser.add_argument("--messages", type=int, default=LARGE, help="how many messages are archived; 0: none")
    parser.add_argument("--data", type=Path, help="conversations in LoCoMo's format, to measure retrieval with")
    given = parser.parse_args()
    sizes = tuple(sorted(int(size) for size in given.sizes.split(",")))
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        found = [*_measure(Path(folder), sizes), *measure_history(Path(folder) / "history"), *_archived(given.messages)]
    measures = sorted(found, key=lambda measure: (-ord(measure.number[0]), int(measure.number[1:])))
    text = f"# Measured\n\n{_machine()}\n\n{table(measures)}"
    if given.data is not None and given.data.exists():
        text += f"\n# Retrieval\n\n{report(measure_all(given.data))}"
    sys.stdout.write(text)
    if not given.no_results:
        RESULTS.write_text(text, "utf-8")
    return 0 if all(measure.kept for measure in measures) else 1


def _measure(folder: Path, sizes: tuple[int, ...]) -> Iterator[Measure]:
    plain: dict[int, Measure] = {}
    bare: dict[int, Measure] = {}
    for size in sizes:
        bench = Bench(folder / "worktree", size)
        transactions = measure_transactions(bench, folder / "floor")
        plain[size] = transactions[0]
        yield from transactions
        yield measure_refusal(bench, plain[size].seconds)
        yield measure_catalogue(bench)
        if size == STATUS_SIZE:
            yield measure_status(bench)
            yield from measure_recall(bench)
            yield from measure_hooks(bench)
        shutil.rmtree(bench.folder)
    for size in {sizes[0], sizes[-1]}:
        bench = Bench(folder / "bare", size, bare=True)
        bare[size] = measure_bare(bench)
        shutil.rmtree(bench.folder)
    yield measure_growth(plain[sizes[0]], plain[sizes[-1]], 2.0)
    yield measure_growth(bare[sizes[0]], bare[sizes[-1]], 1.5, where=", bare")


def _archived(count: int) -> list[Measure]:
    """P7, outside of this repository: memory needs one of its own."""
    if not count:
        return []
    with tempfile.TemporaryDirectory(prefix="gitmem-archiving-") as folder:
        small, large = (archiving.measure(size, Path(folder)) for size in (min(SMALL, count), count))
        return archiving.measures(small, large)


def _machine() -> str:
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return (
        f"Medians on one machine in one run of `make bench`: Python {platform.python_version()}, {git}, "
        f"{platform.system()} {platform.machine()}. The ratios are the claim; the times are context."
    )


if __name__ == "__main__":
    raise SystemExit(main())
