"""The paragraphs of a topic that can be carried into another file, and what has to go with them.

A paragraph stays where it is when moving it could change what it or its neighbours mean: beside a table, a list or any
other text without evidence, with a defect, with prose that belongs to no block, or with a reference link.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.edit.usage import cited_headings
from gitmem.format.markdown import SpanKind, scan
from gitmem.format.model import SUBSTANTIVE, TextKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.format.model import Block, Definition, Element, Heading, Topic
    from gitmem.ids import BlockId, EvidenceId

_REFERENCE = re.compile(r"^ {0,3}\[([^\[\]]+)\]:", re.MULTILINE)
_LEADING = frozenset({TextKind.ANCHOR, TextKind.COMMENT})


@dataclass(frozen=True, slots=True)
class Unit:
    """One paragraph: ``start`` and ``end`` bound it together with anchors and comments directly before it.

    ``headings`` lead to it, the outermost first; it ``opens`` those below which it is the first paragraph. ``cited``
    are its footnotes, each once, in order. ``size`` is how many characters it takes in a file with footnotes and the
    headings that it opens. ``sound`` says that nothing is wrong with it, ``loose`` that it can go elsewhere besides.
    """

    start: int
    end: int
    blocks: tuple[Block, ...]
    headings: tuple[Heading, ...]
    opens: tuple[Heading, ...]
    cited: tuple[EvidenceId, ...]
    size: int
    sound: bool
    loose: bool

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of its headings."""
        return tuple(heading.title for heading in self.headings)

    @property
    def ids(self) -> tuple[BlockId, ...]:
        """Every id of its blocks, in file order."""
        return tuple(name for block in self.blocks for name in block.ids)


def definitions_of(topic: Topic) -> dict[EvidenceId, Definition]:
    """The definition that stands for each footnote: its first."""
    found: dict[EvidenceId, Definition] = {}
    for definition in topic.definitions:
        found.setdefault(definition.id, definition)
    return found


def weight(headings: Iterable[Heading]) -> int:
    """Characters that headings take with the blank lines behind them."""
    return sum(heading.end - heading.start + 2 for heading in headings)


def read_units(topic: Topic) -> tuple[Unit, ...]:
    """The paragraphs of a topic that hold blocks, in file order."""
    return tuple(_Reading(topic).units())


class _Reading:
    """One topic, with what is looked up for every paragraph of it."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._definitions = definitions_of(topic)
        self._fixed = _fixed_places(topic)
        self._starts = [start for start, _ in self._fixed]
        self._defective = {defect.line for defect in topic.defects}
        self._defective_blocks = {defect.block for defect in topic.defects if defect.block is not None}
        self._leading = {e.end: e for e in topic.elements if e.kind in _LEADING}
        self._ends = sorted(self._leading)
        self._references = frozenset(_reference_labels(topic))
        self._ends_of_chains = frozenset(h.start for h in cited_headings(topic))

    def units(self) -> Iterator[Unit]:
        chain: tuple[Heading, ...] = ()
        headings = iter(self._topic.headings)
        ahead = next(headings, None)
        for start, end, blocks in _paragraphs(self._topic):
            before = chain
            while ahead is not None and ahead.start < start:
                chain = (*_above(chain, ahead), ahead)
                ahead = next(headings, None)
            opens = tuple(heading for heading in chain if heading not in before)
            yield self._unit(self._with_leading(start), end, blocks, chain, opens)

    def _unit(
        self, start: int, end: int, blocks: tuple[Block, ...], chain: tuple[Heading, ...], opens: tuple[Heading, ...]
    ) -> Unit:
        cited = tuple(dict.fromkeys(citation.id for block in blocks for citation in block.citations))
        notes = [self._definitions[name] for name in cited if name in self._definitions]
        size = end - start + 4 + sum(note.end - note.start + 1 for note in notes) + weight(opens)
        cites = len(notes) == len(cited) and all(block.citations for block in blocks)
        sound = cites and not self._has_defect(blocks, notes)
        loose = (
            sound
            and not self._beside_text(start, end)
            and not self._refers(start, end)
            and not any(heading.start in self._ends_of_chains for heading in chain)
        )
        return Unit(start, end, blocks, chain, opens, cited, size, sound, loose)

    def _with_leading(self, start: int) -> int:
        """The paragraph's start with what stands directly before it, without a blank line between."""
        while True:
            at = bisect_right(self._ends, start) - 1
            end = self._ends[at] if at >= 0 else None
            between = "" if end is None else self._topic.text[end:start]
            if end is None or between.strip(" \t\n") or between.count("\n") > 1:
                return start
            start = self._leading[end].start

    def _has_defect(self, blocks: tuple[Block, ...], notes: list[Definition]) -> bool:
        lines = {line for block in blocks for line in self._lines(block)}
        lines.update(note.line for note in notes)
        return bool(lines & self._defective) or any(name in self._defective_blocks for b in blocks for name in b.ids)

    def _lines(self, block: Block) -> range:
        return range(block.line, block.line + self._topic.text.count("\n", block.start, block.end) + 1)

    def _beside_text(self, start: int, end: int) -> bool:
        """Whether text without evidence is part of it, or the next thing before or after it but for footnotes."""
        first = max(bisect_left(self._starts, start) - 1, 0)
        last = bisect_left(self._starts, end) + 1
        return any(is_text for _, is_text in self._fixed[first:last])

    def _refers(self, start: int, end: int) -> bool:
        text = self._topic.text[start:end].casefold()
        return any(f"[{label}]" in text for label in self._references)


def _above(chain: tuple[Heading, ...], heading: Heading) -> Iterator[Heading]:
    return (above for above in chain if above.level < heading.level)


def _paragraphs(topic: Topic) -> Iterator[tuple[int, int, tuple[Block, ...]]]:
    """Start, end and blocks of each paragraph with blocks; only one of older units has several."""
    spans = _spans(topic) if any(block.legacy for block in topic.blocks) else {}
    at = 0
    while at < len(topic.blocks):
        first = topic.blocks[at]
        end = spans.get(first.start, first.end) if first.legacy else first.end
        held = at + 1
        while held < len(topic.blocks) and topic.blocks[held].start < end:
            held += 1
        yield first.start, end, topic.blocks[at:held]
        at = held


def _spans(topic: Topic) -> dict[int, int]:
    """Where the paragraph of each older unit ends, by the unit's start."""
    spans = [(s.start, s.end) for s in scan(topic.text) if s.kind is SpanKind.PARAGRAPH]
    starts = [start for start, _ in spans]
    return {block.start: spans[bisect_right(starts, block.start) - 1][1] for block in topic.blocks if block.legacy}


def _fixed_places(topic: Topic) -> list[tuple[int, bool]]:
    """Where everything starts that keeps paragraphs apart: text (``True``), and blocks and headings."""
    places = [(element.start, True) for element in topic.elements if element.kind in SUBSTANTIVE]
    places += [(block.start, False) for block in topic.blocks]
    places += [(heading.start, False) for heading in topic.headings]
    return sorted(places)


def _reference_labels(topic: Topic) -> Iterator[str]:
    for element in _references(topic):
        for found in _REFERENCE.finditer(topic.text, element.start, element.end):
            yield found[1].strip().casefold()


def _references(topic: Topic) -> Iterator[Element]:
    return (element for element in topic.elements if element.kind is TextKind.REFERENCE)
