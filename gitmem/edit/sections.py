"""Where in a topic a record goes: heading paths, and the places inside them (``behaviours.md`` 5.5, 5.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.edit.drafts import paragraph_of
from gitmem.edit.splice import insert, line_after
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.markdown import SpanKind, scan
from gitmem.format.model import TextKind
from gitmem.format.topic import parse_topic
from gitmem.request import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Heading, Topic
    from gitmem.request import Destination

DEEPEST = 6
"""The deepest level a Markdown heading has."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its path of titles; offsets of its own text (to the next heading) and of all that is below it."""

    path: tuple[str, ...]
    level: int
    start: int
    own_end: int
    end: int


def sections(topic: Topic) -> tuple[Section, ...]:
    """Every section in file order, the text before the first heading first."""
    starts = [heading.start for heading in topic.headings]
    length = len(topic.text)
    found = [Section((), 0, 0, starts[0] if starts else length, length)]
    open_headings: tuple[Heading, ...] = ()
    for number, heading in enumerate(topic.headings):
        open_headings = (*(h for h in open_headings if h.level < heading.level), heading)
        rest = topic.headings[number + 1 :]
        found.append(
            Section(
                path=tuple(h.title for h in open_headings),
                level=heading.level,
                start=line_after(topic.text, heading.end),
                own_end=rest[0].start if rest else length,
                end=next((h.start for h in rest if h.level <= heading.level), length),
            )
        )
    return tuple(found)


def with_headings(topic: Topic, headings: tuple[str, ...]) -> Topic:
    """The topic with the heading path in it (5.6)."""
    text = with_section(topic, headings)
    return topic if text is topic.text else parse_topic(topic.path, text)


def with_section(topic: Topic, headings: tuple[str, ...]) -> str:
    """The topic's text with the heading path in it; the deepest part of it that exists is reused."""
    known = sections(topic)
    if any(section.path == headings for section in known):
        return topic.text
    depth = next(n for n in range(len(headings) - 1, -1, -1) if any(s.path == headings[:n] for s in known))
    parent = next(section for section in known if section.path == headings[:depth])
    lines = [_heading(parent.level + n, title) for n, title in enumerate(headings[depth:], 1)]
    return insert(topic.text, parent.end, "\n\n".join(lines))


def _heading(level: int, title: str) -> str:
    line = f"{'#' * level} {title}"
    spans = scan(line)
    if level > DEEPEST or len(spans) != 1 or spans[0].kind is not SpanKind.HEADING or spans[0].title != title:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{title!r} cannot be a heading of level {level}")
    return line


def place_in(topic: Topic, destination: Destination) -> int:
    """The offset before which a record goes; the heading path must exist.

    Raises ``NotFound(MEMORY_NOT_FOUND)`` for an unknown anchor, ``InvalidRequest`` for one that stands elsewhere.
    """
    if destination.anchor is not None:
        return _beside_anchor(topic, destination)
    section = next(s for s in sections(topic) if s.path == destination.headings)
    if destination.position is Position.START:
        first = next((b for b in topic.blocks if section.start <= b.start < section.own_end), None)
        if first is not None:
            return _with_anchors(topic, first.start)
        if section.path:
            return section.start
    ends = [end for start, end in _parts(topic) if section.start <= start < section.own_end]
    return line_after(topic.text, max(ends)) if ends else section.start


def _parts(topic: Topic) -> Iterator[tuple[int, int]]:
    """Where everything that is no blank line or heading stands."""
    yield from ((block.start, block.end) for block in topic.blocks)
    yield from ((definition.start, definition.end) for definition in topic.definitions)
    yield from ((element.start, element.end) for element in topic.elements)


def _with_anchors(topic: Topic, start: int) -> int:
    """The paragraph's start with the anchor lines that stand directly before its prose."""
    for element in topic.elements:
        if element.kind is TextKind.ANCHOR and not topic.text[element.end : start].strip(" \t\n"):
            return element.start if topic.text.count("\n", element.end, start) <= 1 else start
    return start


def _beside_anchor(topic: Topic, destination: Destination) -> int:
    anchor = next((block for block in topic.blocks if destination.anchor in block.ids), None)
    if anchor is None:
        raise NotFound(
            Code.MEMORY_NOT_FOUND,
            f"the anchor {destination.anchor} is not a block of {topic.path}",
            path=topic.path,
            details={"memory_ids": [destination.anchor]},
        )
    if anchor.headings != destination.headings:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT,
            f"the anchor {destination.anchor} stands under {' > '.join(anchor.headings) or 'no heading'}, "
            f"not under {' > '.join(destination.headings) or 'no heading'}",
            path=topic.path,
        )
    if destination.position is Position.BEFORE:
        return _with_anchors(topic, paragraph_of(topic, anchor)[0])
    return _after_definitions(topic, paragraph_of(topic, anchor)[1])


def _after_definitions(topic: Topic, end: int) -> int:
    """The line after a paragraph and the footnotes that follow it."""
    for definition in topic.definitions:
        if definition.start >= end and not topic.text[end : definition.start].strip(" \t\n"):
            end = definition.end
    return line_after(topic.text, end)
