"""Adding one block (``behaviours.md`` 5.4 to 5.6, 5.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.bench import confirm, prose
from gitmem.edit.sections import place_in, with_headings
from gitmem.edit.splice import insert
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from gitmem.edit.bench import Bench
    from gitmem.request import CreateRecord


def create(bench: Bench, operation: CreateRecord) -> None:
    """Put a new block with its footnote at the destination; the file and its headings are made where missing."""
    destination = operation.destination
    path = destination.topic_path
    content = prose(operation.content, path)
    topic = bench.drafts.topic(path) or parse_topic(path, "")
    links = [bench.book.link(path, ref) for ref in operation.sources]
    evidence, definition = bench.book.define(topic, operation.time, links)
    block_id = bench.ids.issue(content, (evidence,))
    added = f"{content}[^{evidence}] ^{block_id}" + (f"\n\n{definition}" if definition else "")
    if destination.anchor is None:
        topic = with_headings(topic, destination.headings)
    bench.drafts.put(path, insert(topic.text, place_in(topic, destination), added))
    confirm(bench, path, block_id, content, evidence)
    bench.note(path, evidence)
