"""Text without evidence that a request brings in refuses it, before anything is pruned (``behaviours.md`` 0.15)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from gitmem.edit.usage import cited_headings
from gitmem.errors import Finding, Severity
from gitmem.format.model import SUBSTANTIVE, TextKind
from gitmem.format.paragraph import BLANKS, read_paragraph
from gitmem.format.text import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.edit.drafts import Drafts
    from gitmem.edit.files import Renamed
    from gitmem.format.model import Element, Topic

_FIX = "write it as a paragraph of prose with a citation such as [^e1] and its footnote, or leave it out"


class Loose(NamedTuple):
    """Text outside every cited block."""

    kind: TextKind
    line: int
    text: str


def uncited(drafts: Drafts, renamed: Renamed) -> tuple[Finding, ...]:
    """Everything substantive that the drafts hold outside cited blocks and that did not stand in the file before.

    What stood in a file that the same request deletes may turn up in another: that is how a file is moved by hand.
    """
    freed: Counter[str] = Counter()
    for path in drafts.touched:
        if drafts.topic(path) is None and path not in renamed:
            freed.update(_texts(drafts.topic_before(path)))
    findings: list[Finding] = []
    for path in drafts.touched:
        topic, known = drafts.topic(path), Counter(_texts(drafts.topic_before(path)))
        for loose in _loose(topic) if topic is not None else ():
            pool = known if known[loose.text] > 0 else freed
            if pool[loose.text] > 0:
                pool[loose.text] -= 1
                continue
            findings.append(finding_of(loose, path))
    return tuple(findings)


def finding_of(loose: Loose, path: str) -> Finding:
    """What is reported for text without evidence."""
    what = f"{loose.kind.replace('-', ' ')} without evidence: {excerpt(loose.text)}"
    return Finding("topic-format", Severity.ERROR, "uncited-text", what, path, loose.line, None, _FIX)


def _texts(topic: Topic | None) -> Iterator[str]:
    return (loose.text for loose in _loose(topic)) if topic is not None else iter(())


def _loose(topic: Topic) -> Iterator[Loose]:
    for element in topic.elements:
        if element.kind in SUBSTANTIVE and not _becomes_block(topic, element):
            yield Loose(element.kind, element.line, topic.text[element.start : element.end])
    for block in topic.blocks:
        if not block.citations:
            yield Loose(TextKind.PARAGRAPH, block.line, topic.text[block.start : block.end])
    for heading in cited_headings(topic):
        yield Loose(TextKind.PARAGRAPH, heading.line, topic.text[heading.start : heading.end])


def _becomes_block(topic: Topic, element: Element) -> bool:
    """Whether it is a cited paragraph that only lacks its id; the rest of a paragraph with legacy units never is."""
    if element.kind is not TextKind.PARAGRAPH:
        return False
    cited = read_paragraph(topic.path, topic.text, element.start, element.end).citations
    return bool(cited) and not follows_unit(topic, element.start)


def follows_unit(topic: Topic, start: int) -> bool:
    """Whether a legacy unit stands before the offset in the same paragraph."""
    gaps = (topic.text[block.end : start] for block in topic.blocks if block.legacy and block.end <= start)
    return any(not gap.strip(BLANKS) and gap.count("\n") <= 1 for gap in gaps)
