"""Splitting topic files that have grown too large; every id, footnote, link and heading is kept.

What cannot be carried elsewhere without a change of meaning stays where it is, and so does a whole file that would not
say the same in parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.layout import TOPIC_CORE
from gitmem.format.model import SUBSTANTIVE
from gitmem.writer.organize_cutting import without
from gitmem.writer.organize_fidelity import faithful
from gitmem.writer.organize_joining import joined
from gitmem.writer.organize_units import read_units, weight
from gitmem.writer.splitting_plan import SIZES, Division

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.format.model import Topic
    from gitmem.ids import TopicPath
    from gitmem.writer.organize_pages import Pages
    from gitmem.writer.organize_soundness import Soundness
    from gitmem.writer.organize_units import Unit
    from gitmem.writer.splitting_plan import Parts, Sizes

_ROUNDS = 8
"""How often one file may be cut again, as when a part of it met a file that was nearly full."""


def split_large(pages: Pages, soundness: Soundness, sizes: Sizes = SIZES) -> bool:
    """Split every file but the core master that is larger than the largest may be, as far as that can be done.

    Gives whether any was split.
    """
    waiting = [path for path in pages.paths() if path != TOPIC_CORE and pages.size(path) > sizes.largest]
    rounds = dict.fromkeys(waiting, 0)
    was_split = False
    while waiting:
        path = waiting.pop()
        topic = pages.topic(path)
        if topic is None or len(topic.text) <= sizes.largest or rounds.setdefault(path, 0) >= _ROUNDS:
            continue
        rounds[path] += 1
        changed = _split(pages, soundness, topic, sizes)
        was_split = was_split or bool(changed)
        waiting += [part for part in changed if pages.size(part) > sizes.largest]
    return was_split


def _split(pages: Pages, soundness: Soundness, topic: Topic, sizes: Sizes) -> Sequence[TopicPath]:
    """Split one file, or leave it; the files that changed."""
    parts = _planned(pages, soundness, topic, sizes)
    parts.pop(topic.path, None)
    before = {path: pages.topic(path) for path in (topic.path, *parts)}
    if not parts or any(before[path] is None and pages.stands(path) for path in parts):
        return ()
    after = {path: joined(path, before[path], topic, units) for path, units in parts.items()}
    left = without(topic, [unit for units in parts.values() for unit in units])
    if not faithful(before, {topic.path: left, **after}):
        return ()
    pages.put({topic.path: left, **after})
    return [path for path in before if pages.stands(path)]


def _planned(pages: Pages, soundness: Soundness, topic: Topic, sizes: Sizes) -> Parts:
    """Every file that gets a paragraph of this one, with those that stay in it."""
    units = read_units(topic)
    loose = [unit for unit in units if unit.loose and soundness.movable(topic, unit)]

    def takes(path: TopicPath, titles: tuple[str, ...]) -> bool:
        there = pages.topic(path)
        return not pages.stands(path) or (there is not None and any(h.title in titles for h in there.headings[:1]))

    stands = len(loose) < len(units) or any(element.kind in SUBSTANTIVE for element in topic.elements)
    return Division(lambda unit: soundness.when(topic, unit), takes, sizes).parts(
        topic.path, loose, _rest(topic, loose), stands=stands
    )


def _rest(topic: Topic, loose: Sequence[Unit]) -> int:
    """Characters of a file besides paragraphs that can be carried elsewhere, with their footnotes and headings."""
    cited = {name for unit in loose for name in unit.cited}
    notes = sum(note.end - note.start + 1 for note in topic.definitions if note.id in cited)
    return max(0, len(topic.text) - notes - sum(u.end - u.start + 2 + weight(u.opens) for u in loose))
