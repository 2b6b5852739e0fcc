"""Taking paragraphs out of a topic: one pass, however many go (``behaviours.md`` 0.10, 2.6, 2.7).

What goes with them are the footnotes and headings that only they needed, and the blank lines around them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from gitmem.edit.rebase import apply_edits
from gitmem.edit.usage import cited_headings, unbound_paragraphs
from gitmem.format.model import SUBSTANTIVE
from gitmem.format.paragraph import read_paragraph
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from gitmem.edit.rebase import Edit
    from gitmem.format.model import Heading, Topic
    from gitmem.ids import EvidenceId
    from gitmem.writer.organize_units import Unit

Span = tuple[int, int]

_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
_BLANK_END = re.compile(r"\n[ \t]*\n\Z")
_DEFINITION = re.compile(r" {0,3}\[\^[^\]\n]*\]:")


def without(topic: Topic, taken: Collection[Unit], edits: Iterable[Edit] = ()) -> Topic | None:
    """The topic without these paragraphs, and with ``edits`` of what stays; ``None`` when nothing would be left."""
    blocks = {block.start for unit in taken for block in unit.blocks}
    held = _held(topic)
    left = [start for start in held if start not in blocks]
    if not left:
        return None
    lone = lone_footnotes(topic, taken)
    gone = [(unit.start, unit.end) for unit in taken]
    gone += [(note.start, note.end) for note in topic.definitions if note.id in lone]
    gone += [(heading.start, heading.end) for heading in _emptied(topic, held, left)]
    return parse_topic(topic.path, _cut_out(topic.text, sorted(gone), sorted(edits)))


def lone_footnotes(topic: Topic, taken: Collection[Unit]) -> set[EvidenceId]:
    """The footnotes that nothing but these paragraphs cites."""
    gone = {name for unit in taken for name in unit.cited}
    blocks = {block.start for unit in taken for block in unit.blocks}
    gone -= {citation.id for block in topic.blocks if block.start not in blocks for citation in block.citations}
    if gone:
        gone -= {citation.id for paragraph in unbound_paragraphs(topic) for citation in paragraph.citations}
    for heading in cited_headings(topic) if gone else ():
        gone -= {c.id for c in read_paragraph(topic.path, topic.text, heading.start, heading.end).citations}
    return gone


def _held(topic: Topic) -> list[int]:
    """Where everything starts that keeps the headings above it in place."""
    starts = [block.start for block in topic.blocks]
    starts += [element.start for element in topic.elements if element.kind in SUBSTANTIVE]
    starts += [heading.start for heading in cited_headings(topic)]
    return sorted(starts)


def _emptied(topic: Topic, held: list[int], left: list[int]) -> Iterator[Heading]:
    """The headings below which something was held, and nothing is left."""
    for heading, end in section_ends(topic):
        if not _any(left, heading.start, end) and _any(held, heading.start, end):
            yield heading


def section_ends(topic: Topic) -> list[tuple[Heading, int]]:
    """Each heading with where all that is below it ends, in file order."""
    ends: list[tuple[Heading, int]] = []
    following: list[Heading] = []
    for heading in reversed(topic.headings):
        while following and following[-1].level > heading.level:
            following.pop()
        ends.append((heading, following[-1].start if following else len(topic.text)))
        following.append(heading)
    return ends[::-1]


def _any(starts: list[int], start: int, end: int) -> bool:
    at = bisect_left(starts, start)
    return at < len(starts) and starts[at] < end


def _cut_out(text: str, gone: list[Span], edits: list[Edit]) -> str:
    """The text without these stretches of whole lines, a blank line between what comes to stand together."""
    pieces: list[str] = []
    at = 0
    for start, end in gone:
        if start >= at:
            pieces.append(_edited(text, edits, at, _line_start(text, start)))
        at = max(at, _line_after(text, end))
    rest = _edited(text, edits, at, len(text))
    return _joined([*pieces, rest]) if gone else rest


def _edited(text: str, edits: list[Edit], start: int, end: int) -> str:
    first, last = bisect_left(edits, (start,)), bisect_left(edits, (end,))
    return apply_edits(text, edits[first:last], start, end)


def _line_start(text: str, offset: int) -> int:
    start = text.rfind("\n", 0, offset) + 1
    return offset if text[start:offset].strip(" \t") else start


def _line_after(text: str, end: int) -> int:
    """Where the next line with text starts."""
    line_end = text.find("\n", end)
    blanks = None if line_end < 0 else _BLANK_LINES.match(text, line_end + 1)
    return len(text) if blanks is None else blanks.end()


def _joined(pieces: list[str]) -> str:
    kept: list[str] = []
    for piece in filter(None, pieces):
        if kept and not _BLANK_END.search(kept[-1][-200:]) and not _both_footnotes(kept[-1], piece):
            kept.append("\n")
        kept.append(piece)
    return "".join(kept).rstrip("\n") + "\n"


def _both_footnotes(before: str, after: str) -> bool:
    last = before[before.rfind("\n", 0, len(before) - 1) + 1 :]
    return bool(_DEFINITION.match(last) and _DEFINITION.match(after))
