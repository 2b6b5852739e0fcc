"""Normalizing what a caller wrote: patches and whole files (``architecture.md`` section 3, step 4).

Order matters: uncited text is refused before anything is taken away, footnotes get their ids before blocks do (a new
block's id is a hash of prose and evidence), and pasted links are mended before links follow moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.evidence import missing_sources
from gitmem.edit.footnotes import normalize_footnotes
from gitmem.edit.identify import arrivals, identify
from gitmem.edit.rebase import apply_edits, destination
from gitmem.edit.refusal import refuse
from gitmem.edit.uncited import uncited
from gitmem.errors import Finding, Severity
from gitmem.format.links import resolve_block_link
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.edit.bench import Bench
    from gitmem.edit.drafts import Drafts
    from gitmem.edit.files import Renamed
    from gitmem.edit.identify import Origins
    from gitmem.edit.rebase import Edit
    from gitmem.format.model import Block, Topic


def normalize(bench: Bench, renamed: Renamed) -> None:
    """Normalize every draft.

    Raises ``Refused``: ``INVALID_TOPIC_FORMAT`` with all uncited text, ``MISSING_SOURCE`` with all unknown sources.
    """
    drafts = bench.drafts
    if marked := tuple(_byte_order_marks(drafts)):
        refuse(f"{marked[0].path}: {marked[0].message}; {marked[0].fix}", marked[0].path, marked)
    if findings := uncited(drafts, renamed):
        refuse(f"{findings[0].path}:{findings[0].line}: {findings[0].message}", findings[0].path, findings)
    paths = drafts.touched
    origins = {path: arrivals(drafts, path) for path in paths}
    lost = [
        finding
        for path in paths
        for finding in normalize_footnotes(bench, path, tuple(dict.fromkeys(origins[path].values())))
    ]
    if lost:
        raise missing_sources(lost)
    identify(bench, paths)
    for path in paths:
        _mend_links(bench, path, origins[path])


def _byte_order_marks(drafts: Drafts) -> Iterator[Finding]:
    """Files that begin with one, which would make the heading behind it a paragraph."""
    for path in drafts.touched:
        topic = drafts.topic(path)
        if topic is not None and topic.text.startswith("\ufeff"):
            message, fix = "the file begins with a byte order mark", "`gitmem check --fix` takes it away"
            yield Finding("text", Severity.ERROR, "byte-order-mark", message, path, 1, None, fix)


def _mend_links(bench: Bench, path: TopicPath, origins: Origins) -> None:
    """Links of a pasted paragraph that only made sense in the file it came from."""
    topic = bench.drafts.topic(path)
    if topic is not None and origins:
        edits = [edit for block in topic.blocks for edit in _mended(bench, topic, block, origins)]
        if edits:
            bench.drafts.put(path, apply_edits(topic.text, edits))


def _mended(bench: Bench, topic: Topic, block: Block, origins: Origins) -> Iterator[Edit]:
    origin = next((origins[name] for name in block.ids if name in origins), None)
    for link in block.links if origin is not None else ():
        written = topic.text[link.start : link.end]
        meant = resolve_block_link(origin, written) if origin is not None else None
        if meant is None or meant[1] is None or _has(bench.drafts.topic(TopicPath(link.target_path)), link.block):
            continue
        if _has(bench.drafts.topic_before(meant[0]), meant[1]):
            yield link.start, link.end, destination(written, topic.path, meant[0])


def _has(topic: Topic | None, block_id: str | None) -> bool:
    return topic is not None and any(block_id in block.ids for block in topic.blocks)
