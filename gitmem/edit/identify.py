"""Block ids of an edited text: what stood there keeps its id, what is new gets one (``behaviours.md`` 2.2, 17.10).

An id is the writer's invention when it did not stand in the file before and did not come from another touched file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.edit.rebase import apply_edits, block_links
from gitmem.edit.uncited import follows_unit
from gitmem.edit.usage import unbound_paragraphs
from gitmem.format.paragraph import read_paragraph
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.edit.bench import Bench
    from gitmem.edit.drafts import Drafts
    from gitmem.edit.rebase import Edit
    from gitmem.format.model import Topic
    from gitmem.format.paragraph import Paragraph
    from gitmem.ids import BlockId

Origins = dict["BlockId", "TopicPath"]
"""Ids that came into a file, with the file they stood in before."""


class _Reissued(NamedTuple):
    """An id that the writer made up, in one file."""

    path: str
    invented: BlockId


def arrivals(drafts: Drafts, path: TopicPath) -> Origins:
    """Ids of a draft that stood in another touched file before and left it; one file gets each."""
    new = set(_ids(drafts.topic(path))) - set(_ids(drafts.topic_before(path)))
    if not new:
        return {}
    origins: Origins = {}
    for other in reversed(drafts.touched):
        origins.update((block_id, other) for block_id in _ids(drafts.topic_before(other)) if block_id in new)
    earlier = (other for other in drafts.touched if other < path or other in origins.values())
    taken = {block_id for other in earlier for block_id in _ids(drafts.topic(other))}
    return {block_id: other for block_id, other in origins.items() if block_id not in taken}


def _ids(topic: Topic | None) -> tuple[BlockId, ...]:
    return tuple(name for block in topic.blocks for name in block.ids) if topic is not None else ()


def identify(bench: Bench, paths: Iterable[TopicPath]) -> None:
    """Give every draft its ids, then let links to invented ids reach the ids that took their place."""
    known = {path: {*_ids(bench.drafts.topic_before(path)), *arrivals(bench.drafts, path)} for path in paths}
    reissued: dict[_Reissued, BlockId] = {}
    for path, ids in known.items():
        topic = bench.drafts.topic(path)
        if topic is not None:
            bench.ids.reserve(ids)
            edits = list(_id_edits(bench, topic, ids, reissued))
            bench.drafts.put(path, apply_edits(topic.text, edits))
    _relink(bench.drafts, known, reissued)


def _id_edits(bench: Bench, topic: Topic, known: set[BlockId], reissued: dict[_Reissued, BlockId]) -> Iterator[Edit]:
    before = bench.drafts.topic_before(topic.path)
    old = set(_texts(before)) if before is not None else set()
    paragraphs = list(_paragraphs(topic))
    keepers = _keepers(topic, paragraphs, known, old)
    for paragraph in paragraphs:
        unchanged = topic.text[paragraph.start : paragraph.end] in old
        keep = tuple(name for name in dict.fromkeys(paragraph.ids) if keepers.get(name) == paragraph.start)
        sound = keep == paragraph.ids and not paragraph.bad_ids
        if not paragraph.citations or (sound and keep) or (unchanged and sound):
            continue
        if not keep:
            keep = (bench.ids.issue(paragraph.content, (citation.id for citation in paragraph.citations)),)
        for name in paragraph.ids:
            if name not in keep:
                reissued.setdefault(_Reissued(topic.path, name), keep[-1])
        yield _suffix_start(paragraph), paragraph.end, "".join(f" ^{name}" for name in keep)


def _suffix_start(paragraph: Paragraph) -> int:
    """Where ids stand; carets glued to the last citation were meant as ids too."""
    glued = paragraph.trailing.startswith("^") and " " not in paragraph.trailing
    return paragraph.citations[-1].end if glued else paragraph.suffix


def _keepers(topic: Topic, paragraphs: list[Paragraph], known: set[BlockId], old: set[str]) -> Mapping[BlockId, int]:
    """Which paragraph keeps an id that several carry: the one that stands as it stood, else the first."""
    keepers: dict[BlockId, int] = {}
    for paragraph in sorted(paragraphs, key=lambda p: topic.text[p.start : p.end] not in old):
        for name in paragraph.ids:
            if name in known:
                keepers.setdefault(name, paragraph.start)
    return keepers


def _paragraphs(topic: Topic) -> Iterator[Paragraph]:
    """Paragraphs that are a block or may become one, in file order; those of legacy units are left alone."""
    found = [read_paragraph(topic.path, topic.text, b.start, b.end) for b in topic.blocks if not b.legacy]
    found += [p for p in unbound_paragraphs(topic) if not follows_unit(topic, p.start)]
    return iter(sorted(found, key=lambda paragraph: paragraph.start))


def _texts(topic: Topic) -> Iterator[str]:
    return (topic.text[paragraph.start : paragraph.end] for paragraph in _paragraphs(topic))


def _relink(drafts: Drafts, paths: Iterable[TopicPath], reissued: Mapping[_Reissued, BlockId]) -> None:
    for path in paths if reissued else ():
        topic = drafts.topic(path)
        edits: list[Edit] = []
        for link in block_links(topic) if topic is not None else ():
            new = reissued.get(_Reissued(link.target_path, link.block)) if link.block is not None else None
            target = drafts.topic(TopicPath(link.target_path))
            if topic is not None and new is not None and link.block not in _ids(target):
                place = topic.text[link.start : link.end].partition("#")[0]
                edits.append((link.start, link.end, f"{place}#^{new}"))
        if topic is not None and edits:
            drafts.put(path, apply_edits(topic.text, edits))
