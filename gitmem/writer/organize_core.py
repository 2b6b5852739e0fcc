"""Proposing an order of ``topics/core.md`` when its budget leaves blocks out of what is rendered (part 13).

Only the order decides what is shown. A block weighs by how many messages say it, then by the latest time it tells of,
then by age; sections go by the block in them that weighs most. Nothing is moved while everything fits, and nothing when
the same blocks would be left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format.layout import TOPIC_CORE
from gitmem.format.model import Tier
from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath
from gitmem.views.core import render
from gitmem.writer.organize_fidelity import faithful
from gitmem.writer.organize_units import definitions_of, read_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.facts.base import Facts
    from gitmem.format.model import Definition, Heading, Topic
    from gitmem.ids import BlockId
    from gitmem.views.base import ViewSettings
    from gitmem.writer.organize_pages import Pages
    from gitmem.writer.organize_units import Unit

CORE_PATH = TopicPath(TOPIC_CORE)

Weight = tuple[int, int, int]
"""What sorts a block: less is more important."""

_NOTHING: Weight = (1, 0, 0)


def left_out(pages: Pages, facts: Facts, settings: ViewSettings) -> tuple[BlockId, ...]:
    """The blocks of the core master that the budget leaves out of ``core.md``, in file order."""
    topic = pages.topic(CORE_PATH)
    return () if topic is None else render(topic, facts, settings, Tier.OWNER).left_out


def order_core(pages: Pages, facts: Facts, settings: ViewSettings) -> None:
    """Put the heaviest blocks of the core master first, when that shows other blocks than now."""
    missing, topic = left_out(pages, facts, settings), pages.topic(CORE_PATH)
    if topic is None or not missing:
        return
    ordered = _Order(topic, facts).topic()
    same = set(render(ordered, facts, settings, Tier.OWNER).left_out) == set(missing)
    if not same and faithful({CORE_PATH: topic}, {CORE_PATH: ordered}):
        pages.put({CORE_PATH: ordered})


@dataclass(frozen=True, slots=True)
class _Section:
    """A heading with the text up to the next one, what the heaviest block in all of it weighs, and what is below."""

    level: int
    text: str
    weight: Weight
    below: tuple[_Section, ...]

    def lines(self) -> Iterator[str]:
        """Its text, then its sections, the heaviest first."""
        if self.text.strip():
            yield self.text.strip("\n")
        for section in sorted(self.below, key=lambda section: section.weight):
            yield from section.lines()


class _Order:
    """The order of one topic."""

    def __init__(self, topic: Topic, facts: Facts) -> None:
        self._topic, self._facts = topic, facts
        self._definitions = definitions_of(topic)
        self._units = read_units(topic)
        self._weights = {unit.start: self._weight(unit) for unit in self._units}

    def topic(self) -> Topic:
        """The topic in the order of weight."""
        headings = self._topic.headings
        first = headings[0].start if headings else len(self._topic.text)
        root = self._section(0, 0, first, self._sections(headings))
        return parse_topic(self._topic.path, "\n\n".join(root.lines()) + "\n")

    def _sections(self, headings: Sequence[Heading]) -> tuple[_Section, ...]:
        """The sections side by side that headings make, each with those below it."""
        found: list[_Section] = []
        at = 0
        while at < len(headings):
            heading = headings[at]
            end = next((n for n in range(at + 1, len(headings)) if headings[n].level <= heading.level), len(headings))
            below = self._sections(headings[at + 1 : end])
            following = self._following(heading)
            found.append(self._section(heading.level, heading.start, following, below))
            at = end
        return tuple(found)

    def _following(self, heading: Heading) -> int:
        later = (h.start for h in self._topic.headings if h.start > heading.start)
        return next(later, len(self._topic.text))

    def _section(self, level: int, start: int, end: int, below: tuple[_Section, ...]) -> _Section:
        units = [unit for unit in self._units if start <= unit.start < end]
        weights = [self._weights[unit.start] for unit in units]
        weight = min([*weights, *(section.weight for section in below)], default=_NOTHING)
        return _Section(level, self._arranged(start, end, units), weight, below)

    def _arranged(self, start: int, end: int, units: Sequence[Unit]) -> str:
        """A section's own text, its loose paragraphs with their footnotes in the places of one another."""
        text = self._topic.text
        loose = [unit for unit in units if unit.loose]
        places = [(unit.start, self._with_notes(unit)) for unit in loose]
        ordered = sorted(zip(loose, places, strict=True), key=lambda pair: self._weights[pair[0].start])
        pieces: list[str] = []
        for (begin, finish), (_, (first, last)) in zip(places, ordered, strict=True):
            pieces += [text[start:begin], text[first:last]]
            start = finish
        return "".join([*pieces, text[start:end]])

    def _with_notes(self, unit: Unit) -> int:
        """Where the footnotes end that directly follow a paragraph."""
        end = unit.end
        for note in self._topic.definitions:
            if note.start >= end and not self._topic.text[end : note.start].strip():
                end = note.end
        return end

    def _weight(self, unit: Unit) -> Weight:
        notes = [self._definitions[name] for name in unit.cited if name in self._definitions]
        said = {link.resolved or link.target for note in notes for link in note.sources}
        latest = max((_day(note) for note in notes), default=0)
        created = min((self._facts.created(name) or 0 for name in unit.ids), default=0)
        return -len(said), -latest, created


def _day(note: Definition) -> int:
    """A time as a number that grows with it; undated is the oldest."""
    return int((note.when or "0").replace("-", "").ljust(8, "0"))
