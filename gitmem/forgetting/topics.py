"""Topics, and views that are written like topics, without what rests on erased messages alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from gitmem.edit.prune import without_headings
from gitmem.edit.splice import cut
from gitmem.edit.usage import cited_ids, unbound_paragraphs
from gitmem.forgetting.erased import Shared
from gitmem.forgetting.prose import Fates, pruned
from gitmem.format.evidence import render_definition
from gitmem.format.paragraph import BLANKS
from gitmem.format.topic import claims_of, parse_topic
from gitmem.ids import BlockId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.forgetting.erased import Erased
    from gitmem.format.model import Block, Claim, Definition, Topic
    from gitmem.ids import TopicPath

_SOURCES = re.compile(r"Sources:[ \t]*")
_AFTER_DESTINATION = re.compile(r">?[^()\n]*\)")


class ClaimCut(NamedTuple):
    """What becomes of one claim: ``after`` is ``None`` when it goes; ``shared``: it rests on other messages too."""

    before: Claim
    after: Claim | None
    shared: bool


class CleanTopic(NamedTuple):
    """A topic's new text (``None``: no block is left), the claims that changed, and the ids of those that went."""

    text: str | None
    cuts: tuple[ClaimCut, ...]
    gone: frozenset[BlockId]


def clean_topic(path: TopicPath, text: str, erased: Erased) -> CleanTopic:
    """The topic without erased evidence; a text that has none comes back as it is, the same object.

    A block whose remaining clauses could not be read as that block any more goes as a whole.
    """
    topic = parse_topic(path, text)
    fates = _fates(topic, erased)
    if not fates.gone and not fates.thinned:
        return CleanTopic(text, (), frozenset())
    left, shared = _without_clauses(topic, fates, erased, frozenset())
    broken = _broken(topic, left)
    if broken:
        left, shared = _without_clauses(topic, fates, erased, broken)
    result = without_headings(_without_footnotes(left, topic), topic)
    return _compared(topic, result, shared)


def without_links(path: TopicPath, text: str, dead: frozenset[BlockId]) -> str:
    """The topic's text where links to blocks that are no more are only their words."""
    topic = parse_topic(path, text)
    for block in reversed(topic.blocks):
        for link in reversed(block.links):
            opener = text.rfind(f"[{link.text}](", 0, link.start)
            after = _AFTER_DESTINATION.match(text, link.end)
            if link.block in dead and opener >= block.start and after is not None:
                text = f"{text[:opener]}{link.text}{text[after.end() :]}"
    return text


def _fates(topic: Topic, erased: Erased) -> Fates:
    gone, thinned = set[str](), set[str]()
    for definition in topic.definitions:
        hits = sum(erased.link(link) for link in definition.sources)
        if hits:
            (gone if hits == len(definition.sources) else thinned).add(definition.id)
    return Fates(frozenset(gone - thinned), frozenset(thinned), whole=erased.shared is Shared.REMOVE)


def _without_clauses(
    topic: Topic, fates: Fates, erased: Erased, broken: frozenset[BlockId]
) -> tuple[Topic, frozenset[BlockId]]:
    """The topic after every paragraph and footnote met its fate, from the last to the first."""
    text, shared = topic.text, set[BlockId]()
    edits: list[tuple[int, int, str | None]] = []
    for block in topic.blocks:
        new = pruned(topic.text, block.start, block.end, block.citations, fates)
        if new.shared:
            shared.add(block.id)
        goes = new.text is None or block.id in broken or (block.legacy and block.id in fates.gone)
        edits.append((block.start, block.end, None if goes else new.text))
    for paragraph in unbound_paragraphs(topic):
        new = pruned(topic.text, paragraph.start, paragraph.end, paragraph.citations, fates)
        edits.append((paragraph.start, paragraph.end, new.text))
    for definition in topic.definitions:
        if definition.id in fates.gone:
            edits.append((definition.start, definition.end, None))
        elif definition.id in fates.thinned:
            edits.append((definition.start, definition.end, _thinned(topic, definition, erased)))
    for start, end, new_text in sorted(edits, reverse=True):
        if new_text is None:
            text = _cut(text, start, end)
        elif new_text != text[start:end]:
            text = text[:start] + new_text + text[end:]
    return (topic if text == topic.text else parse_topic(topic.path, text)), frozenset(shared)


def _cut(text: str, start: int, end: int) -> str:
    """Without ``[start, end)``: whole lines with a blank line of theirs, a unit inside a paragraph as it stands."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    around = text[line_start:start] + (text[end:] if line_end < 0 else text[end:line_end])
    return text[:start] + text[end:].lstrip(" \t") if around.strip(BLANKS) else cut(text, line_start, end)


def _thinned(topic: Topic, definition: Definition, erased: Erased) -> str:
    """The footnote's line without the erased sources; its time and the other links as they were written."""
    line = topic.text[definition.start : definition.end]
    kept = [link for link in definition.sources if not erased.link(link)]
    rendered = render_definition(definition.id, definition.when, kept)
    found, made = _SOURCES.search(line), _SOURCES.search(rendered)
    return rendered if found is None or made is None else line[: found.end()] + rendered[made.end() :]


def _broken(before: Topic, after: Topic) -> frozenset[BlockId]:
    """Blocks that lost clauses and cannot be read as blocks any more; a new defect counts for its block."""
    known = {(defect.code, defect.block) for defect in before.defects}
    new = {d.block for d in after.defects if (d.code, d.block) not in known and d.code != "unused-evidence"}
    if len(after.elements) > len(before.elements) or None in new:
        return _changed_ids(before, after)
    return frozenset(block for block in new if block is not None)


def _changed_ids(before: Topic, after: Topic) -> frozenset[BlockId]:
    texts = {block.id: after.text[block.start : block.end] for block in after.blocks}
    changed = (b.id for b in before.blocks if texts.get(b.id) != before.text[b.start : b.end])
    return frozenset(changed)


def _without_footnotes(topic: Topic, before: Topic) -> Topic:
    """Drop the footnotes that were cited, and are not any more."""
    once, now, text = cited_ids(before), cited_ids(topic), topic.text
    for definition in reversed(topic.definitions):
        if definition.id in once and definition.id not in now:
            text = cut(text, definition.start, definition.end)
    return topic if text is topic.text else parse_topic(topic.path, text)


def _compared(before: Topic, after: Topic, shared: frozenset[BlockId]) -> CleanTopic:
    now = {claim.id: claim for claim in claims_of(after)}
    cuts = tuple(_cuts(before, now, shared))
    gone = frozenset(name for change in cuts if change.after is None for name in change.before.ids)
    empty = not after.blocks and bool(before.blocks) and not _holds_text(after)
    return CleanTopic(None if empty else after.text, cuts, gone)


def _cuts(before: Topic, now: dict[BlockId, Claim], shared: frozenset[BlockId]) -> Iterator[ClaimCut]:
    blocks: tuple[Block, ...] = before.blocks
    for block, claim in zip(blocks, claims_of(before), strict=True):
        after = now.get(block.id)
        if after is None or (after.content, after.evidence) != (claim.content, claim.evidence):
            yield ClaimCut(claim, after, block.id in shared)


def _holds_text(topic: Topic) -> bool:
    return any(topic.text[element.start : element.end].strip() for element in topic.elements)
