"""P6: how one claim came to be, in a history of 10,000 commits, against ``git log -G`` over the whole repository.

``python -m benchmarks.histories`` prints the lines alone. Each commit rewrites the prose of one block; every hundredth
that of the block whose history is asked for. Times are warm: the catalogue is there, and the workspace is open.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.bench import Measure, median_seconds, table
from benchmarks.workload import BLOCKS_PER_FILE, Workload, write
from gitmem.config import Config
from gitmem.request import Person
from gitmem.workspace import Caller, Workspace

if TYPE_CHECKING:
    from typing import IO

BLOCKS, COMMITS, EVERY = 1_000, 10_000, 100
WATCHED = 7
"""The block whose history is asked for."""
TIMES = 9
PROMPT = 0.1
"""Seconds within which a reading command has to answer."""
FIRST = 1_780_000_000


@dataclass(frozen=True)
class History:
    """So many commits on top of a memory, one block rewritten by each."""

    workload: Workload
    commits: int

    def write(self, folder: Path) -> None:
        """Make the repository, packed as ``git gc`` packs it."""
        write(self.workload, folder, bare=False)
        command = ["git", "-C", str(folder), "fast-import", "--quiet", "--done"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            if process.stdin is None:
                raise RuntimeError(command)
            self._import(process.stdin)
            process.stdin.close()
            if process.wait():
                raise subprocess.CalledProcessError(process.returncode, command)
        subprocess.run(["git", "-C", str(folder), "gc", "--quiet"], check=True)
        subprocess.run(["git", "-C", str(folder), "reset", "-q", "--hard"], check=True)

    def _import(self, stream: IO[bytes]) -> None:
        topics = {path: data.decode() for path, data in self.workload.topics()}
        chooser = Random(self.workload.seed)
        for number in range(self.commits):
            block = WATCHED if number % EVERY == 0 else chooser.randrange(BLOCKS_PER_FILE, self.workload.blocks)
            path = self.workload.topic_path(block)
            topics[path] = self._rewritten(topics[path], self.workload.block_id(block), chooser)
            subject, data = f"memory: rewrite ^{self.workload.block_id(block)}\n".encode(), topics[path].encode()
            parent = b"from refs/heads/main^0\n" if number == 0 else b""
            stream.write(b"commit refs/heads/main\ncommitter Ada <ada@example.invalid> %d +0000\n" % (FIRST + number))
            stream.write(b"data %d\n%b%b" % (len(subject), subject, parent))
            stream.write(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data))
        stream.write(b"done\n")

    def _rewritten(self, text: str, block: str, chooser: Random) -> str:
        lines = text.split("\n")
        place = next(place for place, line in enumerate(lines) if line.endswith(f" ^{block}"))
        lines[place] = f"{self.workload.sentence(chooser)}{lines[place][lines[place].rindex('[^') :]}"
        return "\n".join(lines)


def measure_history(folder: Path, commits: int = COMMITS) -> list[Measure]:
    """P6, and how fast the commands answer that people read history with."""
    history = History(Workload(BLOCKS), commits)
    history.write(folder)
    block, path = history.workload.block_id(WATCHED), history.workload.topic_path(WATCHED)
    caller = Caller(Person("Bench", "bench@example.invalid"))
    with Workspace.open(folder, caller, Config()) as workspace:
        versions = workspace.history(block).versions
        if len(versions) != commits // EVERY + 1:
            raise AssertionError(len(versions))
        ours = median_seconds(lambda: workspace.history(block), TIMES)
        search = ["git", "-C", str(folder), "log", f"-G\\^{block}", "--format=%H"]
        git = median_seconds(lambda: subprocess.run(search, check=True, stdout=subprocess.DEVNULL), 3)
        of = f"{commits:,} commits"
        prompt = {
            f"blame of a file, {of}": lambda: workspace.blame(path),
            f"why, {of}": lambda: workspace.why(block),
            f"log -n 20, {of}": lambda: workspace.log(limit=20),
        }
        return [
            Measure("P6", f"history of a block, {of}", ours, "git log -G", git, 10.0, at_least=True),
            *(Measure("P6", what, median_seconds(call, TIMES), "100 ms", PROMPT, 1.0) for what, call in prompt.items()),
        ]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.histories", description=__doc__)
    parser.add_argument("--commits", type=int, default=COMMITS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gitmem-history-") as folder:
        sys.stdout.write(table(measure_history(Path(folder) / "memory", given.commits)))


if __name__ == "__main__":
    main()
