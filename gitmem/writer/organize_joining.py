"""Putting paragraphs of one topic into another, under the headings that they stand under, with their footnotes."""

from __future__ import annotations

from bisect import bisect_left
from itertools import groupby
from typing import TYPE_CHECKING

from gitmem.edit.rebase import apply_edits, definition_edits, redirect
from gitmem.edit.sections import place_in, sections
from gitmem.edit.splice import insert
from gitmem.format.topic import parse_topic
from gitmem.request import Destination
from gitmem.writer.organize_units import definitions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gitmem.format.model import Heading, Topic
    from gitmem.ids import EvidenceId, TopicPath
    from gitmem.writer.organize_units import Unit


def joined(path: TopicPath, goal: Topic | None, source: Topic, units: Sequence[Unit]) -> Topic:
    """The file at ``path``, ``goal`` as it stands, with paragraphs of ``source`` at the end of their sections."""
    load = _Load(source, path)
    if goal is None:
        return parse_topic(path, "\n\n".join(load.fresh(units)) + "\n")
    for _, group in groupby(units, key=lambda unit: tuple(heading.start for heading in unit.headings)):
        together = list(group)
        goal = _with_headings(goal, source, together[0].headings)
        known = {definition.id for definition in goal.definitions}
        at = place_in(goal, Destination(path, together[0].titles))
        goal = parse_topic(path, insert(goal.text, at, "\n\n".join(load.chunks(together, known))))
    return goal


class _Load:
    """A topic's paragraphs and footnotes with links that fit another file."""

    def __init__(self, source: Topic, path: TopicPath) -> None:
        self._source, self._path = source, path
        self._definitions = definitions_of(source)
        self._edits = sorted(redirect(source, path, lambda link: link.target_path))

    def fresh(self, units: Iterable[Unit]) -> Iterator[str]:
        """The parts of a file that holds nothing else: headings where they change, paragraphs, footnotes."""
        open_headings: tuple[Heading, ...] = ()
        known: set[EvidenceId] = set()
        for unit in units:
            for depth, heading in enumerate(unit.headings):
                if open_headings[depth : depth + 1] != (heading,):
                    open_headings = ()
                    yield self._source.text[heading.start : heading.end]
            open_headings = unit.headings
            yield from self.chunks([unit], known)

    def chunks(self, units: Iterable[Unit], known: set[EvidenceId]) -> Iterator[str]:
        """Each paragraph, and behind it those of its footnotes that are not ``known`` yet, which they are then."""
        for unit in units:
            first, last = bisect_left(self._edits, (unit.start,)), bisect_left(self._edits, (unit.end,))
            yield apply_edits(self._source.text, self._edits[first:last], unit.start, unit.end)
            new = [self._definitions[name] for name in unit.cited if name not in known]
            known.update(unit.cited)
            if new:
                yield "\n".join(
                    apply_edits(
                        self._source.text, definition_edits(self._source, note, self._path), note.start, note.end
                    )
                    for note in new
                )


def _with_headings(goal: Topic, source: Topic, headings: Sequence[Heading]) -> Topic:
    """The topic with a path of headings in it, the missing ones as they stand in ``source``."""
    titles = tuple(heading.title for heading in headings)
    known = {section.path: section for section in reversed(sections(goal))}
    if titles in known:
        return goal
    depth = next(depth for depth in range(len(titles) - 1, -1, -1) if titles[:depth] in known)
    parent, lines = known[titles[:depth]], []
    level = parent.level
    for heading in headings[depth:]:
        lines.append(source.text[heading.start : heading.end] if heading.level > level else _deeper(heading, level))
        level = max(heading.level, level + 1)
    return parse_topic(goal.path, insert(goal.text, parent.end, "\n\n".join(lines)))


def _deeper(heading: Heading, level: int) -> str:
    return f"{'#' * (level + 1)} {heading.title}"
