"""What a topic's text cites, and which footnotes nothing needs any more (``behaviours.md`` 2.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.model import TextKind
from gitmem.format.paragraph import read_paragraph

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from gitmem.format.model import Heading, Topic
    from gitmem.format.paragraph import Paragraph
    from gitmem.ids import EvidenceId


def unbound_paragraphs(topic: Topic) -> Iterator[Paragraph]:
    """Paragraphs, or ends of legacy ones, that belong to no block."""
    for element in topic.elements:
        if element.kind is TextKind.PARAGRAPH:
            yield read_paragraph(topic.path, topic.text, element.start, element.end)


def cited_headings(topic: Topic) -> Iterator[Heading]:
    """Headings that hold a citation: records that a line of dashes directly below them has made headings."""
    for heading in topic.headings:
        if read_paragraph(topic.path, topic.text, heading.start, heading.end).citations:
            yield heading


def cited_ids(topic: Topic, *, outside: Collection[tuple[int, int]] = ()) -> frozenset[EvidenceId]:
    """Every footnote that a paragraph cites; citations inside the stretches ``outside`` do not count."""
    blocks = (citation for block in topic.blocks for citation in block.citations)
    unbound = (citation for paragraph in unbound_paragraphs(topic) for citation in paragraph.citations)
    return frozenset(
        citation.id
        for citation in (*blocks, *unbound)
        if not any(start <= citation.start < end for start, end in outside)
    )
