"""One block of an earlier state of a topic, set into the present state of it; and ids taken out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.sections import place_in, sections, with_section
from gitmem.edit.splice import cut, insert, line_after
from gitmem.edit.usage import cited_ids
from gitmem.format.model import SUBSTANTIVE
from gitmem.format.paragraph import read_paragraph
from gitmem.format.rebase import rebase
from gitmem.format.topic import parse_topic
from gitmem.request import Destination, Position

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from gitmem.format.model import Block, Heading, Topic
    from gitmem.ids import BlockId, TopicPath


def graft(present: Topic, earlier: Topic, block: Block) -> Topic:
    """The present topic with the earlier paragraph of the block, and with the footnotes that it needs.

    The paragraph stands in place of the one that carries only its ids; else beside its neighbour of then, or at the
    end of its headings, which are written again when they are gone. Other paragraphs lose its ids and keep their
    prose. Footnotes that were cited and are not any more go.
    """
    path = present.path
    paragraph = _moved(earlier.text[block.start : block.end], earlier.path, path)
    own = [held for held in present.blocks if set(held.ids) <= set(block.ids)]
    replaced = next((held for held in own if block.id in held.ids), own[0] if own else None)
    text = present.text
    for held in reversed(present.blocks):
        if held is replaced:
            text = text[: held.start] + paragraph + text[held.end :]
        elif not set(held.ids).isdisjoint(block.ids):
            text = _without(present, text, held, block.ids)
    if replaced is None:
        text = _placed(parse_topic(path, text), earlier, block, paragraph)
    return _settled(_with_footnotes(parse_topic(path, text), earlier, block), present)


def without_ids(present: Topic, ids: Collection[BlockId]) -> Topic:
    """The topic without these ids, and without the paragraphs and footnotes that nothing else needs."""
    text = present.text
    for held in reversed(present.blocks):
        if not set(held.ids).isdisjoint(ids):
            text = _without(present, text, held, ids)
    return _settled(parse_topic(present.path, text), present)


def titles(topic: Topic) -> set[tuple[str, ...]]:
    """The heading paths of a topic."""
    return {section.path for section in sections(topic)[1:]}


def without_headings(topic: Topic, paths: Collection[tuple[str, ...]]) -> Topic:
    """The topic without those of these headings under which nothing is left, the innermost first."""
    while (heading := _empty_heading(topic, paths)) is not None:
        topic = parse_topic(topic.path, cut(topic.text, heading.start, heading.end))
    return topic


def _empty_heading(topic: Topic, paths: Collection[tuple[str, ...]]) -> Heading | None:
    starts = [block.start for block in topic.blocks]
    starts += [element.start for element in topic.elements if element.kind in SUBSTANTIVE]
    starts += [definition.start for definition in topic.definitions]
    for heading, section in reversed(list(zip(topic.headings, sections(topic)[1:], strict=True))):
        if section.path in paths and not any(section.start <= at < section.end for at in starts):
            return heading
    return None


def _without(topic: Topic, text: str, block: Block, ids: Collection[BlockId]) -> str:
    """The text, changed only after the block so far, without the ids in the block's suffix, or without the block."""
    kept = [held for held in block.ids if held not in ids]
    if kept:
        bare = text[block.start : read_paragraph(topic.path, topic.text, block.start, block.end).suffix]
        return f"{text[: block.start]}{bare}{''.join(f' ^{held}' for held in kept)}{text[block.end :]}"
    starts_line = block.start == 0 or text[block.start - 1] == "\n"
    if starts_line and text[block.end : block.end + 1] in {"", "\n"}:
        return cut(text, block.start, block.end)
    return text[: block.start] + text[block.end :].removeprefix(" ")  # a legacy unit inside its paragraph


def _placed(present: Topic, earlier: Topic, block: Block, paragraph: str) -> str:
    """The text with the paragraph beside a block that it stood next to, else at the end of its headings."""
    beside = [held for held in earlier.blocks if held.headings == block.headings]
    at = beside.index(block)
    standing = {held.id for held in present.blocks if held.headings == block.headings}
    neighbours = [(held, Position.AFTER) for held in reversed(beside[:at])]
    neighbours += [(held, Position.BEFORE) for held in beside[at + 1 :]]
    for held, position in neighbours:
        if held.id in standing:
            destination = Destination(present.path, block.headings, position, held.id)
            return insert(present.text, place_in(present, destination), paragraph)
    with_headings = parse_topic(present.path, with_section(present, block.headings))
    return insert(with_headings.text, place_in(with_headings, Destination(present.path, block.headings)), paragraph)


def _with_footnotes(topic: Topic, earlier: Topic, block: Block) -> Topic:
    known = {definition.id for definition in topic.definitions}
    missing = [line for defined, line in _footnotes(earlier, block, topic.path) if defined not in known]
    if not missing:
        return topic
    standing = next(held for held in topic.blocks if block.id in held.ids)
    return parse_topic(topic.path, insert(topic.text, line_after(topic.text, standing.end), "\n".join(missing)))


def _footnotes(topic: Topic, block: Block, path: TopicPath) -> Iterator[tuple[str, str]]:
    """The definitions that the block cites, as they read at ``path``, each once in citation order."""
    lines = {d.id: topic.text[d.start : d.end] for d in reversed(topic.definitions)}
    for cited in dict.fromkeys(citation.id for citation in block.citations):
        if cited in lines:
            yield cited, _moved(lines[cited], topic.path, path)


def _settled(topic: Topic, before: Topic) -> Topic:
    """The topic without the footnotes that ``before`` cited and it does not."""
    gone = cited_ids(before) - cited_ids(topic)
    text = topic.text
    for definition in reversed(topic.definitions):
        if definition.id in gone:
            text = cut(text, definition.start, definition.end)
    return topic if text is topic.text else parse_topic(topic.path, text)


def _moved(text: str, origin: TopicPath, path: TopicPath) -> str:
    return rebase(text, origin, path)
