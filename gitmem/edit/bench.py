"""What the record operations of one request share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.edit.refusal import refuse
from gitmem.edit.splice import insert, line_after, next_definition
from gitmem.format.markdown import SpanKind, scan
from gitmem.format.paragraph import BLANKS, read_paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.edit.block_ids import BlockIds
    from gitmem.edit.drafts import Drafts
    from gitmem.edit.evidence import EvidenceBook
    from gitmem.format.markdown import Span
    from gitmem.ids import BlockId, EvidenceId, TopicPath

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_NOT_COUNTED = frozenset({"indented code", "html", "front matter"})


@dataclass(slots=True)
class Bench:
    """The texts under work, where evidence is looked up, who issues ids, and what is to be told.

    ``updated`` are the ids of every block that an update of this request has rewritten. ``labelled`` are the evidence
    ids that this request gave, by path and local label.
    """

    drafts: Drafts
    book: EvidenceBook
    ids: BlockIds
    warnings: list[str] = field(default_factory=list)
    updated: set[BlockId] = field(default_factory=set)
    labelled: dict[TopicPath, dict[str, EvidenceId]] = field(default_factory=dict)

    def note(self, path: TopicPath, evidence: EvidenceId) -> None:
        """Remember the evidence id that an operation gave; operations have no labels, so they are counted."""
        given = self.labelled.setdefault(path, {})
        given[f"e{len(given) + 1}"] = evidence


def _told(spans: Sequence[Span]) -> str:
    """Kinds of text with how many of each stand there: ``two paragraphs, one list``."""
    counts = Counter(span.kind.replace("-", " ") for span in spans)
    return ", ".join(_several(kind, number) for kind, number in counts.items()) or "nothing"


def _several(kind: str, number: int) -> str:
    if number == 1 or kind in _NOT_COUNTED:
        return kind
    return f"{_NUMBERS.get(number, number)} {kind}s"


def prose(content: str, path: str) -> str:
    """The content of a record: one paragraph of prose, its ends stripped (5.19, 17.7).

    Raises ``Refused(INVALID_TOPIC_FORMAT)`` for anything that would be stored as something else, or not at all.
    """
    text = content.replace("\r\n", "\n").strip(BLANKS)
    spans = scan(text)
    if len(spans) != 1 or spans[0].kind is not SpanKind.PARAGRAPH or (spans[0].start, spans[0].end) != (0, len(text)):
        refuse(f"content must be one paragraph of prose; it reads as {_told(spans)}", path)
    paragraph = read_paragraph(path, text, 0, len(text))
    if paragraph.citations:
        refuse("content must hold no citation; give the evidence as sources and time", path)
    if paragraph.ids or paragraph.bad_ids:
        refuse("content must not end in a block id; ids are issued on commit", path)
    return text


def add_definitions(text: str, paragraph_end: int, lines: list[str]) -> str:
    """The text with footnotes after a paragraph, before those that already follow it."""
    if not lines:
        return text
    after = line_after(text, paragraph_end)
    follows = next_definition(text, after)
    if follows is not None:
        return text[:follows] + "".join(f"{line}\n" for line in lines) + text[follows:]
    return insert(text, after, "\n".join(lines))


@dataclass(frozen=True, slots=True)
class Meant:
    """A block as an operation means it to read."""

    block_id: BlockId
    content: str
    evidence: EvidenceId


def confirm(bench: Bench, path: TopicPath, blocks: Sequence[Meant]) -> None:
    """Refuse when the file does not read as it was meant to: an unclosed fence or comment swallows what follows it."""
    topic = bench.drafts.topic(path)
    standing = {block_id: block for block in (topic.blocks if topic is not None else ()) for block_id in block.ids}
    for meant in blocks:
        block = standing.get(meant.block_id)
        last = None if block is None or not block.citations else block.citations[-1].id
        if block is None or block.content != meant.content or last != meant.evidence:
            start = meant.content[:40]
            refuse(f"{path} would not read as written from {start!r} on; change the wording or repair the file", path)
