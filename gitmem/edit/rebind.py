"""Citations without a definition: bound to the one they meant, or their definition is brought along (2.5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.edit.bench import add_definitions
from gitmem.edit.rebase import apply_edits, definition_edits
from gitmem.edit.usage import unbound_paragraphs
from gitmem.format.markdown import SpanKind, scan
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.edit.drafts import Drafts
    from gitmem.edit.rebase import Edit
    from gitmem.format.markdown import Span
    from gitmem.format.model import Citation, Topic
    from gitmem.ids import EvidenceId, TopicPath

LOCAL_LABEL = re.compile(r"e[0-9]+|new-evidence-.*", re.ASCII)
"""Labels that writers make up; they mean something in one file of one request only (2.1)."""


def paragraphs(topic: Topic) -> Iterator[tuple[int, tuple[Citation, ...]]]:
    """Each block and loose paragraph: where it starts, and its citations."""
    yield from ((block.start, block.citations) for block in topic.blocks)
    yield from ((paragraph.start, paragraph.citations) for paragraph in unbound_paragraphs(topic))


def rebound(topic: Topic) -> Topic:
    """Bind a label without definition to the uncited definition that follows its paragraph."""
    defined = {definition.id for definition in topic.definitions}
    cited = {citation.id for _, citations in paragraphs(topic) for citation in citations}
    spans = scan(topic.text)
    edits: list[Edit] = []
    for start, citations in paragraphs(topic):
        fresh = [citation for citation in citations if citation.id not in defined]
        if fresh:
            free = [name for name in _following(topic, spans, start) if name not in cited]
            bound = dict(zip(dict.fromkeys(citation.id for citation in fresh), free, strict=False))
            edits += [(c.start, c.end, f"[^{bound[c.id]}]") for c in fresh if c.id in bound]
    return parse_topic(topic.path, apply_edits(topic.text, edits)) if edits else topic


def _following(topic: Topic, spans: tuple[Span, ...], start: int) -> Iterator[EvidenceId]:
    """The footnotes defined directly after a paragraph."""
    names = {definition.start: definition.id for definition in topic.definitions}
    for span in spans[_at(spans, start) + 1 :]:
        if span.kind is not SpanKind.DEFINITION:
            return
        yield names[span.start]


def _at(spans: tuple[Span, ...], start: int) -> int:
    return next(number for number, span in enumerate(spans) if span.start <= start < span.end)


def completed(drafts: Drafts, topic: Topic) -> Topic:
    """Bring along definitions that another file has, as when only a paragraph was pasted.

    Each goes after the first paragraph that needs it.
    """
    defined = {definition.id for definition in topic.definitions}
    spans = scan(topic.text)
    added: list[tuple[int, list[str]]] = []
    for start, citations in sorted(paragraphs(topic), key=lambda pair: pair[0]):
        lines: list[str] = []
        for name in dict.fromkeys(citation.id for citation in citations if citation.id not in defined):
            defined.add(name)
            line = None if LOCAL_LABEL.fullmatch(name) else _line_elsewhere(drafts, name, topic.path)
            lines += [] if line is None else [line]
        added += [(spans[_at(spans, start)].end, lines)] if lines else []
    text = topic.text
    for end, lines in reversed(added):
        text = add_definitions(text, end, lines)
    return parse_topic(topic.path, text) if added else topic


def _line_elsewhere(drafts: Drafts, name: EvidenceId, path: TopicPath) -> str | None:
    for other in sorted(path for path, _ in drafts.facts.defined(name)):
        topic = drafts.topic_before(other)
        definitions = topic.definitions if topic is not None and other != path else ()
        found = next((definition for definition in definitions if definition.id == name), None)
        if topic is not None and found is not None:
            return apply_edits(topic.text, definition_edits(topic, found, path), found.start, found.end)
    return None
