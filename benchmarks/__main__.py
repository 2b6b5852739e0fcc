"""``python -m benchmarks [--sizes 1000,10000,100000] [--only P1,P5] [--no-results]``: measure, print, write down."""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.bench import Measure, table
from benchmarks.reading import measure_catalogue, measure_status
from benchmarks.writing import measure_writing

RESULTS = Path(__file__).with_name("RESULTS.md")
SIZES = (1_000, 10_000, 100_000)
STATUS_SIZE = 10_000


def main() -> int:
    """Measure what was asked for; 1 when a limit is broken."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of blocks")
    parser.add_argument("--only", default="P1,P2,P5,P8,P10", help="measures of performance.md")
    parser.add_argument("--no-results", action="store_true", help="print, and leave benchmarks/RESULTS.md as it is")
    given = parser.parse_args()
    sizes = tuple(int(size) for size in given.sizes.split(","))
    wanted = set(given.only.split(","))
    measures: list[Measure] = []
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        if wanted & {"P1", "P2", "P10"}:
            measures += measure_writing(Path(folder), sizes)
        if "P5" in wanted:
            measures += measure_catalogue(Path(folder), sizes)
        if "P8" in wanted:
            measures += measure_status(Path(folder), min(STATUS_SIZE, max(sizes)))
    text = f"# Measured\n\n{_machine()}\n\n{table([m for m in measures if m.number in wanted])}"
    sys.stdout.write(text)
    if not given.no_results:
        RESULTS.write_text(text, "utf-8")
    return 0 if all(measure.kept for measure in measures if measure.number in wanted) else 1


def _machine() -> str:
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return (
        f"Medians on one machine in one run of `make bench`: Python {platform.python_version()}, {git}, "
        f"{platform.system()} {platform.machine()}. The ratios are the claim; the times are context."
    )


if __name__ == "__main__":
    raise SystemExit(main())
