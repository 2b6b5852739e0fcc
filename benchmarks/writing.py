"""P1, P2 and P10: what one transaction costs, at any size of the memory, accepted and refused."""

from __future__ import annotations

import shutil
import statistics
from typing import TYPE_CHECKING

from benchmarks.bench import Measure, timed
from benchmarks.floor import Floor, Pair
from benchmarks.workload import Workload, write
from gitmem.config import Config
from gitmem.errors import GitmemError
from gitmem.ids import TopicPath
from gitmem.request import CreateRecord, Destination, NewSource, Person, RecordsEdit, Request, SourceRef
from gitmem.store.head import read_head
from gitmem.store.snapshot import Snapshot
from gitmem.workspace import Caller, Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TIMES = 25
CALLER = Caller(Person("Bench", "bench@example.invalid"))


class Bench:
    """A workload with its views derived, ready to be written to."""

    def __init__(self, folder: Path, blocks: int, *, bare: bool = False) -> None:
        """Generate the memory, build the catalogue, and carry out one transaction, which derives every view."""
        self.workload = Workload(blocks)
        self.folder = folder
        write(self.workload, folder, bare=bare, checkout=not bare)
        self.workspace = Workspace.open(folder, CALLER, Config())
        self.building = timed(lambda: self.workspace.catalog.refresh(read_head(self.workspace.repo).tip))
        self._number = 0
        self.commit(link=False)

    def request(self, *, link: bool, valid: bool = True) -> Request:
        """One new source and one record that cites it, in some file of the memory; refused unless ``valid``."""
        self._number += 1
        number = (self._number * 7919) % self.workload.blocks
        path = self.workload.topic_path(number)
        text = f"Event number {self._number} took place."
        if link:
            text = f"Event number {self._number} took place [there](#^{self.workload.block_id(number)})."
        source = NewSource(
            f"I saw event {self._number}.", "user", label="new-source-a", timestamp="2024-03-15T10:00:00Z"
        )
        heading = self.workload.words[0] if not valid else self._heading(path)
        record = CreateRecord(
            text if valid else f"{text} [^loose]",
            self.workload.day(number).isoformat(),
            (SourceRef("new-source-a", "what I saw"),),
            Destination(TopicPath(path), (heading,)),
        )
        return self.workspace.request(RecordsEdit((record,)), [source])

    def _heading(self, path: str) -> str:
        topic = self.workspace.memory().snapshot.topic(path)
        if topic is None:
            raise FileNotFoundError(path)
        return topic.headings[0].title

    def commit(self, *, link: bool) -> float:
        """How long one transaction takes."""
        request = self.request(link=link)
        return timed(lambda: self.workspace.commit(request))

    def refuse(self) -> float:
        """How long a refused one takes."""
        request = self.request(link=False, valid=False)

        def attempt() -> None:
            try:
                self.workspace.commit(request)
            except GitmemError:
                return
            raise AssertionError(request)

        return timed(attempt)

    def last_pair(self) -> Pair:
        """What the last transaction wrote."""
        repo = self.workspace.repo.fresh()
        derived, memory, base = (self.workspace.resolve(rev) for rev in ("HEAD", "HEAD^", "HEAD^^"))
        snapshots = [Snapshot.at(repo, oid) for oid in (base, memory, derived)]
        return Pair(_files(*snapshots[:2]), _files(*snapshots[1:]))


def _files(before: Snapshot, after: Snapshot) -> Mapping[str, bytes | None]:
    return {change.path: after.read(change.path) for change in after.changes(before)}


def measure_transactions(bench: Bench, folder: Path) -> list[Measure]:
    """P1: a plain transaction and one that adds a link, each against raw pygit2 writing the same."""
    shutil.copytree(bench.folder, folder)
    floor = Floor(folder)
    measures = []
    for link in (False, True):
        ours, raw = [], []
        for _ in range(TIMES):
            ours.append(bench.commit(link=link))
            pair = bench.last_pair()
            raw.append(timed(lambda: floor.write(pair)))  # noqa: B023  (called at once)
        what = f"a transaction{' that adds a link' if link else ''}, {bench.workload.blocks:,} blocks"
        measures.append(Measure("P1", what, statistics.median(ours), "raw pygit2", statistics.median(raw), 3.0))
    shutil.rmtree(folder)
    return measures


def measure_refusal(bench: Bench, accepted: float) -> Measure:
    """P10: a refused transaction against an accepted one, in seconds; it writes nothing."""
    held = _everything(bench.folder)
    refused = statistics.median(bench.refuse() for _ in range(TIMES))
    if _everything(bench.folder) != held:
        raise AssertionError(bench.folder)
    what = f"a refused transaction, {bench.workload.blocks:,} blocks"
    return Measure("P10", what, refused, "an accepted one", accepted, 1.0)


def measure_growth(small: Measure, large: Measure, limit: float, where: str = "") -> Measure:
    """P2: the same transaction in a large memory and in a small one."""
    return Measure("P2", f"{large.what}{where}", large.seconds, small.what, small.seconds, limit)


def measure_bare(bench: Bench) -> Measure:
    """A plain transaction in a bare repository, against itself."""
    seconds = statistics.median(bench.commit(link=False) for _ in range(TIMES))
    return Measure("P2", f"a transaction, {bench.workload.blocks:,} blocks", seconds, "itself", seconds, 1.0)


def _everything(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file's time and size, but for the lock and the catalogue."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "gitmem")
    return {str(path): ((found := path.stat()).st_mtime_ns, found.st_size) for path in files}
