"""Taking away what the transaction itself emptied, and nothing else (``behaviours.md`` 0.10, 2.6, 2.7, 17.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.sections import sections
from gitmem.edit.splice import cut, with_final_newline
from gitmem.edit.usage import cited_ids
from gitmem.format.model import SUBSTANTIVE
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.edit.drafts import Drafts
    from gitmem.edit.sections import Section
    from gitmem.format.model import Heading, Topic
    from gitmem.ids import TopicPath


def prune(drafts: Drafts, path: TopicPath, *, new_footnotes: bool) -> str | None:
    """Prune one touched file and give it its final LF; a warning when something newly written goes.

    With ``new_footnotes`` also those that this transaction wrote and nothing cites: a record operation may have
    replaced its own.
    """
    before, topic = drafts.topic_before(path), drafts.topic(path)
    if topic is None:
        return None
    topic = _without_footnotes(topic, before, new_footnotes=new_footnotes)
    pruned = _without_headings(topic, before)
    if not _holds_text(pruned) and (before is None or _holds_text(before)):
        drafts.put(path, None)
        return None if before is not None else f"{path} holds no record and is not kept"
    drafts.put(path, with_final_newline(pruned.text, None if before is None else before.text))
    known = {section.path for section in sections(before)} if before is not None else set()
    gone = {section.path for section in sections(topic)} - {section.path for section in sections(pruned)}
    new = sorted(" > ".join(titles) for titles in gone - known)
    return f"{path}: headings without a record are not kept: {', '.join(new)}" if new else None


def _without_footnotes(topic: Topic, before: Topic | None, *, new_footnotes: bool) -> Topic:
    cited = cited_ids(topic)
    known = {d.id for d in before.definitions} if before is not None else set()
    once_cited = cited_ids(before) if before is not None else frozenset()
    text = topic.text
    for definition in reversed(topic.definitions):
        emptied = definition.id in once_cited or (new_footnotes and definition.id not in known)
        if emptied and definition.id not in cited:
            text = cut(text, definition.start, definition.end)
    return topic if text is topic.text else parse_topic(topic.path, text)


def _without_headings(topic: Topic, before: Topic | None) -> Topic:
    """Drop headings below which nothing is left, the innermost first."""
    empty_before = {s.path for s in _empty_sections(before)} if before is not None else set()
    known = {s.path for s in sections(before)} if before is not None else set()
    while True:
        heading = _first_emptied(topic, empty_before, known)
        if heading is None:
            return topic
        topic = parse_topic(topic.path, cut(topic.text, heading.start, heading.end))


def _first_emptied(topic: Topic, empty_before: set[tuple[str, ...]], known: set[tuple[str, ...]]) -> Heading | None:
    pairs = zip(topic.headings, sections(topic)[1:], strict=True)
    for heading, section in reversed(list(pairs)):
        kept = section.path in empty_before or (section.path not in known and _defines(topic, section))
        if not kept and not _holds_text(topic, section):
            return heading
    return None


def _empty_sections(topic: Topic) -> Iterator[Section]:
    return (section for section in sections(topic) if not _holds_text(topic, section))


def _defines(topic: Topic, section: Section) -> bool:
    """Whether footnotes are collected there, as under a heading *References* (1.9)."""
    return any(section.start <= definition.start < section.end for definition in topic.definitions)


def _holds_text(topic: Topic, section: Section | None = None) -> bool:
    """Whether a block, or other text that must not be lost, stands in the topic or in one section of it."""
    start, end = (section.start, section.end) if section is not None else (0, len(topic.text))
    starts = [block.start for block in topic.blocks]
    starts += [element.start for element in topic.elements if element.kind in SUBSTANTIVE]
    return any(start <= at < end for at in starts)
