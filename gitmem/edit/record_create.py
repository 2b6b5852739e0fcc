"""Adding blocks (``behaviours.md`` 5.4 to 5.6, 5.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.bench import Meant, confirm, prose
from gitmem.edit.sections import place_in, with_headings
from gitmem.edit.splice import insert
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.edit.bench import Bench
    from gitmem.facts.base import Meaning
    from gitmem.format.model import Topic
    from gitmem.ids import EvidenceId
    from gitmem.request import CreateRecord


def create(bench: Bench, operations: Sequence[CreateRecord]) -> None:
    """Put new blocks with their footnotes at the destination they share, in order; missing headings are made.

    A writer's batch adds many blocks to one place: the file is read, cut and read back once for all of them.
    """
    destination = operations[0].destination
    path = destination.topic_path
    topic = bench.drafts.topic(path) or parse_topic(path, "")
    known: dict[Meaning, EvidenceId] = {}
    written = [_write(bench, topic, operation, known) for operation in operations]
    if destination.anchor is None:
        topic = with_headings(topic, destination.headings)
    added = "\n\n".join(text for text, _ in written)
    bench.drafts.put(path, insert(topic.text, place_in(topic, destination), added))
    confirm(bench, path, [meant for _, meant in written])
    for _, meant in written:
        bench.note(path, meant.evidence)


def _write(bench: Bench, topic: Topic, operation: CreateRecord, known: dict[Meaning, EvidenceId]) -> tuple[str, Meant]:
    """A block's lines, with its footnote unless the topic or an earlier one of these blocks (``known``) has it."""
    path = topic.path
    content = prose(operation.content, path)
    links = [bench.book.link(path, ref) for ref in operation.sources]
    meaning = operation.time, tuple(link.resolved or link.target for link in links)
    definition = ""
    if meaning not in known:
        known[meaning], definition = bench.book.define(topic, operation.time, links)
    evidence = known[meaning]
    block_id = bench.ids.issue(content, (evidence,))
    text = f"{content}[^{evidence}] ^{block_id}" + (f"\n\n{definition}" if definition else "")
    return text, Meant(block_id, content, evidence)
