"""Changing and removing blocks where they stand (``behaviours.md`` 1.5, 1.6, 5.7 to 5.9, 5.17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.bench import Meant, add_definitions, confirm, prose
from gitmem.edit.drafts import paragraph_of
from gitmem.edit.refusal import refuse
from gitmem.edit.splice import cut
from gitmem.format.evidence import render_definition
from gitmem.format.paragraph import BLANKS, read_paragraph
from gitmem.ids import EvidenceId

if TYPE_CHECKING:
    from gitmem.edit.bench import Bench
    from gitmem.edit.drafts import Located
    from gitmem.format.model import Block, Definition, SourceLink, Topic
    from gitmem.ids import BlockId
    from gitmem.request import CiteRecord, DeleteRecord, UpdateRecord


def update(bench: Bench, operation: UpdateRecord) -> None:
    """Replace a block's prose, time and evidence; its ids stay."""
    located = bench.drafts.locate(operation.memory_id)
    block, path = located.block, located.path
    if bench.updated & set(block.ids):
        refuse(
            f"two updates name the same merged block ({', '.join(block.ids)}); give one update for it",
            path,
        )
    bench.updated.update(block.ids)
    content = prose(operation.content, path)
    links = [bench.book.link(path, ref) for ref in operation.sources]
    if block.legacy:
        _rewrite_unit(bench, located, content, operation.time, links)
        return
    evidence, definition = bench.book.define(located.topic, operation.time, links)
    paragraph = f"{content}[^{evidence}] {_suffix(block.ids)}"
    text = located.topic.text[: block.start] + paragraph + located.topic.text[block.end :]
    bench.drafts.put(path, add_definitions(text, block.start + len(paragraph), [definition] if definition else []))
    confirm(bench, path, [Meant(block.id, content, evidence)])
    bench.note(path, evidence)


def _rewrite_unit(bench: Bench, located: Located, content: str, when: str | None, links: list[SourceLink]) -> None:
    """A legacy unit keeps its citation, which is its id; the footnote of that id says the new evidence (5.17)."""
    topic, block = located.topic, located.block
    evidence = EvidenceId(block.id)
    unit = f"{content}[^{evidence}]"
    text = topic.text[: block.start] + unit + topic.text[block.end :]
    text = _redefine(text, located, render_definition(evidence, when, links), len(unit) - (block.end - block.start))
    bench.drafts.put(located.path, text)
    confirm(bench, located.path, [Meant(block.id, content, evidence)])
    bench.note(located.path, evidence)


def _redefine(text: str, located: Located, line: str, grown: int) -> str:
    """The text with the unit's footnote replaced; ``grown`` is by how much the unit before or after it grew."""
    definition = _definition(located)
    if definition is None:
        _, end = paragraph_of(located.topic, located.block)
        return add_definitions(text, end + grown, [line])
    shift = grown if definition.start > located.block.start else 0
    return text[: definition.start + shift] + line + text[definition.end + shift :]


def _definition(located: Located) -> Definition | None:
    evidence = EvidenceId(located.block.id)
    return next((d for d in located.topic.definitions if d.id == evidence), None)


def cite(bench: Bench, operation: CiteRecord) -> None:
    """Add one more footnote to a block, its prose unchanged; evidence that it has already changes nothing."""
    located = bench.drafts.locate(operation.memory_id)
    block, path, topic = located.block, located.path, located.topic
    links = [bench.book.link(path, ref) for ref in operation.sources]
    if block.legacy:
        _cite_unit(bench, located, operation.time, links)
        return
    evidence, definition = bench.book.define(topic, operation.time, links)
    bench.note(path, evidence)
    if any(citation.id == evidence for citation in block.citations):
        bench.warnings.append(f"{path}: ^{block.id} already rests on this evidence")
        return
    at = block.citations[-1].end if block.citations else block.start + len(_without_suffix(topic, block))
    text = f"{topic.text[:at]}[^{evidence}]{topic.text[at:]}"
    added = [definition] if definition else []
    bench.drafts.put(path, add_definitions(text, block.end + len(f"[^{evidence}]"), added))
    confirm(bench, path, [Meant(block.id, block.content, evidence)])


def _cite_unit(bench: Bench, located: Located, when: str | None, links: list[SourceLink]) -> None:
    """A legacy unit has one footnote, so that only more sources of the same time can join it."""
    definition = _definition(located)
    if definition is None or definition.when != when:
        refuse(
            f"{located.block.id} is an older record with one footnote; update it to give it evidence of another time",
            located.path,
        )
    known = {link.resolved for link in definition.sources}
    sources = [*definition.sources, *(link for link in links if link.resolved not in known)]
    text = located.topic.text
    line = render_definition(definition.id, when, sources)
    bench.drafts.put(located.path, text[: definition.start] + line + text[definition.end :])
    bench.note(located.path, definition.id)


def delete(bench: Bench, operation: DeleteRecord) -> None:
    """Remove one id; the last id of a block takes the block with it (5.8)."""
    located = bench.drafts.locate(operation.memory_id)
    block, text = located.block, located.topic.text
    if block.legacy:
        text = _without_unit(located)
    elif len(block.ids) > 1:
        kept = tuple(block_id for block_id in block.ids if block_id != operation.memory_id)
        bare = _without_suffix(located.topic, block)
        text = f"{text[: block.start]}{bare} {_suffix(kept)}{text[block.end :]}"
    else:
        text = cut(text, block.start, block.end)
    bench.drafts.put(located.path, text)


def _without_unit(located: Located) -> str:
    """The text without a legacy unit; other units and unbound prose of its paragraph stay as they are."""
    text, block = located.topic.text, located.block
    start, end = paragraph_of(located.topic, block)
    rest = text[end - len(text[block.end : end].lstrip(BLANKS)) : end]
    before = text[start : block.start]
    if not rest:
        before = before.rstrip(BLANKS)
    if not before and not rest:
        return cut(text, start, end)
    return text[:start] + before + rest + text[end:]


def _suffix(ids: tuple[BlockId, ...]) -> str:
    return " ".join(f"^{block_id}" for block_id in ids)


def _without_suffix(topic: Topic, block: Block) -> str:
    """The paragraph without its run of ids."""
    return topic.text[block.start : read_paragraph(topic.path, topic.text, block.start, block.end).suffix]
