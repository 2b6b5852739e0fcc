"""One block of an earlier state of a topic, set into the present state of it."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from gitmem.edit.sections import place_in, with_section
from gitmem.edit.splice import cut, insert, line_after
from gitmem.format.rebase import rebase
from gitmem.format.topic import parse_topic
from gitmem.request import Destination

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Block, Topic
    from gitmem.ids import BlockId, TopicPath


def graft(current: Topic | None, earlier: Topic, block: Block, path: TopicPath) -> str:
    """The text at ``path`` with the earlier paragraph of the block and the footnotes that it needs.

    The paragraph replaces the one that carries the block's id now; where there is none, it comes at the end of its
    headings, which are written again when they are gone. Footnotes that nothing cites any more go.
    """
    present = parse_topic(path, "") if current is None else current
    paragraph = _moved(earlier.text[block.start : block.end], earlier.path, path)
    standing = _standing(present, block.id)
    if standing is not None:
        offset = standing.start
        text = present.text[:offset] + paragraph + present.text[standing.end :]
    else:
        text = with_section(present, block.headings)
        offset = place_in(parse_topic(path, text), Destination(path, block.headings))
        text = insert(text, offset, paragraph)
    after = line_after(text, text.index(paragraph, offset) + len(paragraph))
    known = {definition.id for definition in present.definitions}
    missing = [line for defined, line in _footnotes(earlier, block, path) if defined not in known]
    if missing:
        text = insert(text, after, "\n".join(missing))
    return _without_unused(path, text)


def _standing(topic: Topic, block_id: BlockId) -> Block | None:
    return next((block for block in topic.blocks if block_id in block.ids), None)


def _footnotes(topic: Topic, block: Block, path: TopicPath) -> Iterator[tuple[str, str]]:
    """The definitions that the block cites, as they read at ``path``, each once in citation order."""
    wanted = dict.fromkeys(citation.id for citation in block.citations)
    for definition in topic.definitions:
        if definition.id in wanted:
            del wanted[definition.id]
            yield definition.id, _moved(topic.text[definition.start : definition.end], topic.path, path)


def _moved(text: str, origin: TopicPath, path: TopicPath) -> str:
    return rebase(text, posixpath.dirname(origin), posixpath.dirname(path))


def _without_unused(path: TopicPath, text: str) -> str:
    topic = parse_topic(path, text)
    cited = {citation.id for block in topic.blocks for citation in block.citations}
    for definition in reversed(topic.definitions):
        if definition.id not in cited:
            text = cut(text, definition.start, definition.end)
    return text
