"""Topic files: text to blocks, footnotes, headings and defects (``formats.md``; ``behaviours.md`` part 1).

Nothing here raises for what a file holds: what the format does not allow is a ``Defect`` with a kebab-case code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.format.evidence import parse_definition
from gitmem.format.markdown import Span, SpanKind, scan
from gitmem.format.model import (
    SUBSTANTIVE,
    Block,
    CitedEvidence,
    Claim,
    Definition,
    Element,
    Heading,
    TextKind,
    Topic,
)
from gitmem.format.paragraph import BLANKS, Paragraph, is_legacy, legacy_units, read_paragraph, skip_blanks
from gitmem.format.topic_defects import (
    Place,
    empty_block,
    judge_footnotes,
    judge_ids,
    judge_paragraph,
    judge_suffix,
    not_a_paragraph,
)

if TYPE_CHECKING:
    from gitmem.format.model import Citation, Defect
    from gitmem.ids import BlockId, EvidenceId, TopicPath

_ANCHOR_TAG = r"[ \t]*+<a\s++(?:id|name)=(?:\"[^\"<>]*+\"|'[^'<>]*+')\s*+(?:/>|>\s*+</a>)[ \t\r]*+"
_ANCHORS = re.compile(rf"(?:{_ANCHOR_TAG}(?:\n|\Z))++|(?:{_ANCHOR_TAG})++(?=\n|\Z)")
_TEXT_KINDS = {kind: TextKind(kind.value) for kind in SpanKind if kind.value in set(TextKind)}


def parse_topic(path: TopicPath, text: str) -> Topic:
    """Read one topic file; offsets of all values are characters of ``text``."""
    reader = _TopicReader(path, text)
    for span in scan(text):
        reader.take(span)
    return reader.topic()


def claims_of(topic: Topic) -> tuple[Claim, ...]:
    """The topic's blocks with what their footnotes say, freed from offsets; an undefined citation has no sources."""
    definitions: dict[EvidenceId, Definition] = {}
    for definition in topic.definitions:
        definitions.setdefault(definition.id, definition)
    return tuple(
        Claim(
            id=block.id,
            aliases=block.aliases,
            path=topic.path,
            ordinal=ordinal,
            line=block.line,
            headings=block.headings,
            content=block.content,
            evidence=tuple(_cited(citation, definitions.get(citation.id)) for citation in block.citations),
            links=tuple(dict.fromkeys(link.block for link in block.links if link.block is not None)),
        )
        for ordinal, block in enumerate(topic.blocks)
    )


def _cited(citation: Citation, definition: Definition | None) -> CitedEvidence:
    if definition is None:
        return CitedEvidence(citation.id, None, citation.clause, ())
    return CitedEvidence(citation.id, definition.when, citation.clause, definition.sources)


class _TopicReader:
    """Collects the parts of one topic, span by span."""

    def __init__(self, path: TopicPath, text: str) -> None:
        self.path = path
        self.text = text
        self.blocks: list[Block] = []
        self.definitions: list[Definition] = []
        self.headings: list[Heading] = []
        self.elements: list[Element] = []
        self.defects: list[Defect] = []
        self.ids: list[Place] = []
        self.citations: list[Place] = []
        self.open_headings: tuple[Heading, ...] = ()
        self.titles: tuple[str, ...] = ()

    def topic(self) -> Topic:
        defects = [
            *self.defects,
            *judge_ids(self.ids),
            *judge_footnotes(self.definitions, self.citations),
        ]
        return Topic(
            path=self.path,
            text=self.text,
            blocks=tuple(self.blocks),
            definitions=tuple(self.definitions),
            headings=tuple(self.headings),
            elements=tuple(self.elements),
            defects=tuple(sorted(defects, key=lambda defect: defect.line)),
        )

    def take(self, span: Span) -> None:
        if span.kind is SpanKind.PARAGRAPH:
            self.take_paragraph(span)
        elif span.kind is SpanKind.DEFINITION:
            line_text = self.text[span.start : span.end]
            parsed = parse_definition(self.path, line_text, line=span.line, start=span.start)
            self.definitions.append(parsed.definition)
            self.defects += parsed.defects
        elif span.kind is SpanKind.HEADING:
            heading = Heading(span.level, span.title, span.line, span.start, span.end)
            self.headings.append(heading)
            self.open_headings = (*(h for h in self.open_headings if h.level < heading.level), heading)
            self.titles = tuple(h.title for h in self.open_headings)
        else:
            self.take_other(_TEXT_KINDS[span.kind], span)

    def take_other(self, kind: TextKind, span: Span) -> None:
        if kind is TextKind.HTML and _ANCHORS.fullmatch(self.text, span.start, span.end):
            kind = TextKind.ANCHOR
        self.elements.append(Element(kind, span.line, span.start, span.end))
        if kind in SUBSTANTIVE:
            self.defects.append(not_a_paragraph(kind, span.line))

    def take_paragraph(self, span: Span) -> None:
        """A paragraph, after the anchor lines that may stand directly before its prose."""
        start, line = span.start, span.line
        if anchors := _ANCHORS.match(self.text, start, span.end):
            start = anchors.end()
            end = span.start + len(anchors.group().rstrip(BLANKS))
            self.elements.append(Element(TextKind.ANCHOR, line, span.start, end))
            line += self.text.count("\n", span.start, start)
        if start == span.end:
            return
        paragraph = read_paragraph(self.path, self.text, start, span.end)
        if paragraph.ids:
            self.take_block(paragraph, line)
        elif any(is_legacy(citation) for citation in paragraph.citations):
            self.take_legacy_units(paragraph, line)
        else:
            self.elements.append(Element(TextKind.PARAGRAPH, line, start, span.end))
            self.citations += [Place(citation.id, line, None) for citation in paragraph.citations]
            self.defects += judge_paragraph(paragraph, line)

    def take_block(self, paragraph: Paragraph, line: int) -> None:
        own = paragraph.ids[-1]
        block = Block(
            id=own,
            aliases=() if len(paragraph.ids) == 1 else tuple(a for a in dict.fromkeys(paragraph.ids) if a != own),
            legacy=False,
            line=line,
            start=paragraph.start,
            end=paragraph.end,
            headings=self.titles,
            content=paragraph.content,
            citations=paragraph.citations,
            links=paragraph.links,
        )
        self.add_block(block, paragraph.ids)
        self.defects += judge_paragraph(paragraph, line)

    def take_legacy_units(self, paragraph: Paragraph, line: int) -> None:
        """What follows the last unit is bound to nothing and is kept (1.6)."""
        for unit in legacy_units(self.text, paragraph, line, self.titles):
            self.add_block(unit, (unit.id,))
        end = self.blocks[-1].end
        self.citations += [Place(citation.id, line, None) for citation in paragraph.citations if citation.start >= end]
        self.defects += judge_suffix(paragraph, line)
        start = skip_blanks(self.text, end, paragraph.end)
        if start < paragraph.end:
            line += self.text.count("\n", paragraph.start, start)
            self.elements.append(Element(TextKind.PARAGRAPH, line, start, paragraph.end))

    def add_block(self, block: Block, ids: tuple[BlockId, ...]) -> None:
        self.blocks.append(block)
        self.ids += [Place(block_id, block.line, block.id) for block_id in ids]
        self.citations += [Place(citation.id, block.line, block.id) for citation in block.citations]
        if not block.content:
            self.defects.append(empty_block(block))
