"""A topic's text taken apart into pieces that can be told from each other in three versions of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.model import TextKind
from gitmem.format.paragraph import read_paragraph
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gitmem.format.model import Topic
    from gitmem.ids import BlockId, TopicPath

BLOCK, HEADING, DEFINITION = "block", "heading", "definition"

_WHITE = " \t\r\n\v\f"
_NAMED = frozenset({BLOCK, DEFINITION})
"""Kinds whose pieces carry a name of their own, whatever becomes of their text."""


class Key(NamedTuple):
    """What makes a piece the same in another version: a block's or footnote's id, else what it says.

    ``nth`` counts pieces of one file that would otherwise have one key.
    """

    kind: str
    name: str
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A block, a heading, a footnote or another element.

    ``ids`` are a block's, ``level`` is a heading's, ``meaning`` a footnote's time and sources.
    """

    key: Key
    text: str
    ids: tuple[BlockId, ...] = ()
    level: int = 0
    cites: frozenset[str] = frozenset()
    meaning: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Pieces:
    """All pieces of a text in file order; ``gaps`` is the white space between two neighbours."""

    pieces: Mapping[Key, Piece] = field(default_factory=dict)
    gaps: Mapping[tuple[Key, Key], str] = field(default_factory=dict)
    lead: str = ""
    tail: str = ""


def take_apart(path: TopicPath, text: str) -> Pieces:
    """Every piece of a topic; their texts with ``lead``, ``gaps`` and ``tail`` are the whole text again."""
    parts = sorted(_parts(parse_topic(path, text)), key=lambda part: (part[0], part[1]))
    if not parts:
        return Pieces(lead=text)
    seen: Counter[tuple[str, str]] = Counter()
    pieces, gaps, lead, last = dict[Key, Piece](), dict[tuple[Key, Key], str](), "", 0
    for (start, end, piece), limit in zip(parts, [*(part[0] for part in parts[1:]), len(text)], strict=True):
        kind, name, _ = piece.key
        key = Key(kind, name, seen[kind, name])
        seen[kind, name] += 1
        gap = text[last:start]
        if pieces:
            gaps[next(reversed(pieces)), key] = gap
        else:
            lead = gap
        last = max(end, start + len(text[start:limit].rstrip(_WHITE)))  # nothing but white space lies between pieces
        pieces[key] = replace(piece, key=key, text=text[start:last])
    return Pieces(pieces, gaps, lead, text[last:])


def _parts(topic: Topic) -> Iterator[tuple[int, int, Piece]]:
    def cited(start: int, end: int) -> frozenset[str]:
        return frozenset(citation.id for citation in read_paragraph(topic.path, topic.text, start, end).citations)

    for block in topic.blocks:
        closing = frozenset(citation.id for citation in block.citations)
        yield block.start, block.end, Piece(Key(BLOCK, block.id), "", block.ids, cites=closing)
    for heading in topic.headings:
        key = Key(HEADING, f"{heading.level} {heading.title}")
        yield heading.start, heading.end, Piece(key, "", level=heading.level, cites=cited(heading.start, heading.end))
    for definition in topic.definitions:
        meaning = (definition.when, tuple(link.resolved or link.target for link in definition.sources))
        yield definition.start, definition.end, Piece(Key(DEFINITION, definition.id), "", meaning=meaning)
    for element in topic.elements:
        span = element.start, element.end
        cites = cited(*span) if element.kind is TextKind.PARAGRAPH else frozenset()
        yield *span, Piece(Key(element.kind.value, topic.text[slice(*span)]), "", cites=cites)


def aligned(base: Pieces, side: Pieces) -> Pieces:
    """The side with the base's keys where a heading or another nameless piece was rewritten in its place."""
    renamed = dict(_rewritten(list(base.pieces), list(side.pieces)))
    if not renamed:
        return side
    pieces = {renamed.get(key, key): replace(piece, key=renamed.get(key, key)) for key, piece in side.pieces.items()}
    gaps = {(renamed.get(one, one), renamed.get(two, two)): gap for (one, two), gap in side.gaps.items()}
    return Pieces(pieces, gaps, side.lead, side.tail)


def _rewritten(base: Sequence[Key], side: Sequence[Key]) -> Iterator[tuple[Key, Key]]:
    """Keys of the side with those of the base whose place they took."""
    kept, present = set(base), set(side)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, base, side, autojunk=False).get_opcodes():
        if tag != "replace":
            continue
        gone = [key for key in base[i1:i2] if key not in present and key.kind not in _NAMED]
        come = [key for key in side[j1:j2] if key not in kept and key.kind not in _NAMED]
        for kind in {key.kind for key in gone}:
            old, new = ([key for key in keys if key.kind == kind] for keys in (gone, come))
            if len(old) == len(new):
                yield from zip(new, old, strict=True)


def moved(base: Iterable[Key], side: Iterable[Key]) -> frozenset[Key]:
    """Pieces of both that stand in another order in the side; as few as explain it."""
    one, two = list(base), list(side)
    known = set(one) & set(two)
    one, two = ([key for key in keys if key in known] for keys in (one, two))
    if one == two:
        return frozenset()
    matches = SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks()
    return frozenset(known.difference(*(one[match.a : match.a + match.size] for match in matches)))


def chains(pieces: Iterable[Piece]) -> dict[Key, tuple[Key, ...]]:
    """For each piece the headings it stands under, from the outermost down; a heading is not under itself."""
    found: dict[Key, tuple[Key, ...]] = {}
    open_headings: list[Piece] = []
    for piece in pieces:
        if piece.key.kind == HEADING:
            open_headings = [heading for heading in open_headings if heading.level < piece.level]
        found[piece.key] = tuple(heading.key for heading in open_headings)
        if piece.key.kind == HEADING:
            open_headings.append(piece)
    return found
