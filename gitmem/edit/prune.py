"""Taking away what the transaction itself emptied, and nothing else (``behaviours.md`` 0.10, 2.6, 2.7, 17.8)."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from gitmem.edit.refusal import refuse
from gitmem.edit.sections import sections
from gitmem.edit.splice import cut, with_final_newline
from gitmem.edit.uncited import Loose, finding_of
from gitmem.edit.usage import cited_headings, cited_ids
from gitmem.format.model import SUBSTANTIVE, TextKind
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from gitmem.edit.drafts import Drafts
    from gitmem.format.model import Heading, Topic
    from gitmem.ids import TopicPath


def prune(drafts: Drafts, path: TopicPath, *, new_footnotes: bool) -> str | None:
    """Prune one touched file and give it its final LF; a warning when something newly written goes.

    With ``new_footnotes`` also those that this transaction wrote and nothing cites: a record operation may have
    replaced its own.
    """
    before, topic = drafts.topic_before(path), drafts.topic(path)
    if topic is None or (before is not None and topic.text == before.text):
        return None
    topic = _without_footnotes(topic, before, new_footnotes=new_footnotes)
    pruned = without_headings(topic, before)
    if not _held(pruned) and (before is None or _held(before)):
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


def without_headings(topic: Topic, before: Topic | None) -> Topic:
    """Drop headings below which nothing is left, the innermost first; those that were empty before stay."""
    empty_before, known = _sections_before(before)
    while True:
        heading = _first_emptied(topic, empty_before, known)
        if heading is None:
            return topic
        _refuse_underlined(topic, heading, known)
        topic = parse_topic(topic.path, cut(topic.text, heading.start, heading.end))


def _refuse_underlined(topic: Topic, heading: Heading, known: set[tuple[str, ...]]) -> None:
    """Prose that a line of dashes or equal signs below it makes a heading is never dropped (0.15)."""
    path = next(s.path for h, s in zip(topic.headings, sections(topic)[1:], strict=True) if h is heading)
    text = topic.text[heading.start : heading.end]
    if path not in known and "\n" in text:
        finding = finding_of(Loose(TextKind.PARAGRAPH, heading.line, text), topic.path)
        refuse(f"{topic.path}:{heading.line}: {finding.message}", topic.path, (finding,))


def _sections_before(before: Topic | None) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """The heading paths without text, and all of them."""
    if before is None:
        return set(), set()
    held, known = _held(before), sections(before)
    return {s.path for s in known if not _any_in(held, s.start, s.end)}, {s.path for s in known}


def _first_emptied(topic: Topic, empty_before: set[tuple[str, ...]], known: set[tuple[str, ...]]) -> Heading | None:
    held, notes = _held(topic), [definition.start for definition in topic.definitions]
    pairs = zip(topic.headings, sections(topic)[1:], strict=True)
    for heading, section in reversed(list(pairs)):
        # footnotes may be collected under a heading of their own, such as *References* (1.9)
        collected = section.path not in known and _any_in(notes, section.start, section.end)
        kept = collected or section.path in empty_before
        if not kept and not _any_in(held, section.start, section.end):
            return heading
    return None


def _held(topic: Topic) -> list[int]:
    """Where blocks, and other text that must not be lost, start."""
    starts = [block.start for block in topic.blocks]
    starts += [element.start for element in topic.elements if element.kind in SUBSTANTIVE]
    starts += [heading.start for heading in cited_headings(topic)]
    return sorted(starts)


def _any_in(starts: list[int], start: int, end: int) -> bool:
    at = bisect_left(starts, start)
    return at < len(starts) and starts[at] < end
