"""``python -m benchmarks.locomo --data FILE``: what the embedded writer keeps of long talks, and what is found of it.

Every conversation becomes a workspace of its own: its sessions are ingested as conversations, every turn is archived by
``write --force`` with the embedded writer, and every question that has evidence is searched for among the archived
turns and among the topics, where a block counts as the turns it cites. No model is asked.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, fields, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bench import timed
from benchmarks.locomo_format import Talk, read_talks
from benchmarks.retrieval import HEADER, Tally
from gitmem.config import Config
from gitmem.facts.trust import claim_refs
from gitmem.ids import TopicPath
from gitmem.request import Person
from gitmem.workspace import Caller, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.locomo_format import Question
    from gitmem.memory import Memory

CALLER = Caller(Person("Bench", "bench@example.invalid"))
RESULTS = 100
"""How far down a ranking is looked."""
LEAST_FOUND, MOST_BLOCKS, MOST_PROSE = 0.55, 35.0, 0.4
"""The limits: any@10 through topics; blocks for 100 turns; bytes of prose for each byte of the bodies."""


@dataclass(frozen=True)
class Outcome:
    """What came of one talk, or of several together.

    ``cited`` and ``cited_whole`` count questions of which any, or every, evidence turn is cited by a block.
    """

    name: str
    turns: int
    body_bytes: int
    blocks: int
    prose_bytes: int
    ingest_seconds: float
    write_seconds: float
    cited: int
    cited_whole: int
    unasked: int
    by_turns: Tally
    by_topics: Tally

    @property
    def blocks_per_100(self) -> float:
        """Blocks for every 100 turns."""
        return 100 * self.blocks / self.turns

    @property
    def prose_share(self) -> float:
        """Bytes of prose for each byte of the bodies."""
        return self.prose_bytes / self.body_bytes

    @property
    def kept(self) -> bool:
        """Whether the limits are kept."""
        found = self.by_topics.found().any_many
        return found >= LEAST_FOUND and self.blocks_per_100 <= MOST_BLOCKS and self.prose_share <= MOST_PROSE

    def and_also(self, other: Outcome) -> Outcome:
        """Both together, under the name of the first."""
        sums = (
            getattr(self, field.name) + getattr(other, field.name) for field in fields(Outcome) if field.name != "name"
        )
        return Outcome(self.name, *sums)


def measure(talk: Talk, folder: Path) -> Outcome:
    """Ingest, write and ask one talk, in a new workspace in ``folder``."""
    export = folder / f"{talk.name}.jsonl"
    export.write_text(talk.jsonl(), "utf-8")
    owner, *others = (name.casefold() for name in talk.speakers)
    Workspace.create(folder / talk.name, CALLER)
    with Workspace.open(folder / talk.name, CALLER, Config()) as workspace:
        ingest = timed(lambda: workspace.ingest([export], owner=owner, paired=others))
        write = timed(lambda: _write(workspace))
        claims = list(_claims(workspace.memory()))
        cited = frozenset().union(*(_turns(refs) for _, refs in claims))
        return Outcome(
            name=talk.name,
            turns=len(talk.turns),
            body_bytes=talk.body_bytes,
            blocks=len(claims),
            prose_bytes=sum(len(text.encode()) for text, _ in claims),
            ingest_seconds=ingest,
            write_seconds=write,
            cited=sum(bool(question.evidence & cited) for question in talk.questions),
            cited_whole=sum(question.evidence <= cited for question in talk.questions),
            unasked=talk.unasked,
            by_turns=_asked(workspace, talk.questions, topics=False),
            by_topics=_asked(workspace, talk.questions, topics=True),
        )


def _write(workspace: Workspace) -> None:
    answer = workspace.write(force=True, writer="embedded")
    if not answer.ok or answer.pending_turns:
        raise AssertionError(answer)


def _claims(memory: Memory) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every block: its prose, and the handles that it cites."""
    for entry in memory.snapshot.entries("topics"):
        for claim in memory.facts.of_topic(TopicPath(entry.path)):
            yield claim.content, claim_refs(memory.facts, claim)


def _asked(workspace: Workspace, questions: Sequence[Question], *, topics: bool) -> Tally:
    tally = Tally()
    for question in questions:
        found = workspace.search(question.text, k=RESULTS, topics_only=topics, path=None if topics else "sources/")
        tally.add([_turns(hit.refs) for hit in found.results], question.evidence)
    return tally


def _turns(handles: Iterable[str]) -> frozenset[str]:
    """The dia_ids of handles."""
    return frozenset(handle.rpartition("/")[2] for handle in handles)


# --- the table


def report(outcomes: Sequence[Outcome]) -> str:
    """Two tables in Markdown: what was found, and what was written."""
    whole = replace(reduce(Outcome.and_also, outcomes), name="together")
    shown = [*outcomes, whole]
    found = [
        f"| talk | questions | reached | {HEADER} |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {one.name} | {tally.found().questions} | {how} | {tally.found().row()} |"
            for one in shown
            for how, tally in (("over turns", one.by_turns), ("through topics", one.by_topics))
        ),
    ]
    written = [
        "| talk | turns | blocks per 100 turns | prose per body byte | evidence cited, any | every | ingest | write |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(_written(one) for one in shown),
    ]
    limits = f"any@10 through topics >= {LEAST_FOUND}, blocks <= {MOST_BLOCKS:g}, prose <= {MOST_PROSE}"
    verdict = f"Limits ({limits}): {'kept' if whole.kept else '**not kept**'}."
    unasked = f"{whole.unasked} questions have no evidence among the turns and are not asked."
    return "\n".join([*found, "", *written, "", verdict, unasked, ""])


def _written(one: Outcome) -> str:
    asked = one.by_topics.found().questions
    return (
        f"| {one.name} | {one.turns} | {one.blocks_per_100:.1f} | {one.prose_share:.3f} | {one.cited / asked:.3f} "
        f"| {one.cited_whole / asked:.3f} | {one.turns / one.ingest_seconds:,.0f} messages/s "
        f"| {one.turns / one.write_seconds:,.0f} messages/s |"
    )


def measure_all(data: Path, parent: Path | None = None) -> list[Outcome]:
    """Measure every talk of a file, in temporary folders below ``parent``."""
    with tempfile.TemporaryDirectory(prefix=".locomo-", dir=parent) as folder:
        return [measure(talk, Path(folder)) for talk in read_talks(data)]


def main() -> int:
    """Print the tables; 1 when a limit is broken."""
    parser = argparse.ArgumentParser(prog="benchmarks.locomo", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="FILE", help="conversations in LoCoMo's format")
    outcomes = measure_all(parser.parse_args().data)
    sys.stdout.write(report(outcomes))
    return 0 if reduce(Outcome.and_also, outcomes).kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
