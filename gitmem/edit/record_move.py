"""Moving and merging whole paragraphs (``behaviours.md`` 5.12 to 5.16, ``cli.md`` "Inputs")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.edit.bench import add_definitions
from gitmem.edit.drafts import paragraph_of
from gitmem.edit.evidence import meaning_of
from gitmem.edit.rebase import apply_edits, definition_edits, redirect
from gitmem.edit.refusal import refuse
from gitmem.edit.sections import place_in, with_headings
from gitmem.edit.splice import cut, insert
from gitmem.edit.usage import cited_ids
from gitmem.errors import Code, InvalidRequest
from gitmem.format.paragraph import read_paragraph
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.edit.bench import Bench
    from gitmem.edit.drafts import Located
    from gitmem.facts.base import Meaning
    from gitmem.format.model import Topic
    from gitmem.ids import BlockId, EvidenceId, TopicPath
    from gitmem.request import MergeRecords, MoveRecords


@dataclass(frozen=True, slots=True)
class Footnote:
    """A definition that travels: what it means, and its line with links that fit where it goes."""

    meaning: Meaning
    line: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A paragraph taken out of its file, its links fitting where it goes, with the footnotes that it cites."""

    text: str
    ids: tuple[BlockId, ...]
    citations: tuple[EvidenceId, ...]
    footnotes: dict[EvidenceId, Footnote]


def move(bench: Bench, operation: MoveRecords) -> None:
    """Move paragraphs in the declared order; their footnotes come along, shared ones are copied."""
    goal = operation.destination
    if goal.anchor is not None and goal.anchor in operation.memory_ids:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{goal.anchor} is moved and cannot be the anchor")
    paragraphs = list(_paragraphs(bench, operation.memory_ids))
    taken = _take(bench, [bench.drafts.locate(ids[0]) for ids in paragraphs], goal.topic_path)
    topic = bench.drafts.topic(goal.topic_path) or parse_topic(goal.topic_path, "")
    if goal.anchor is None:
        topic = with_headings(topic, goal.headings)
    known = _conflict_free(topic, taken)
    chunks: list[str] = []
    for paragraph in taken:
        chunks.append(paragraph.text)
        lines = [note.line for name, note in paragraph.footnotes.items() if name not in known]
        known |= paragraph.footnotes.keys()
        chunks += ["\n".join(lines)] if lines else []
    bench.drafts.put(topic.path, insert(topic.text, place_in(topic, goal), "\n\n".join(chunks)))
    _arrived(bench, operation.memory_ids, topic.path)


def merge(bench: Bench, operation: MergeRecords) -> None:
    """Fold blocks into one: its prose, all citations, and every id, its own last."""
    keep = bench.drafts.locate(operation.keep)
    absorbed = {(one.path, one.block.start): one for one in map(bench.drafts.locate, operation.absorbed)}
    for located in absorbed.values():
        _mergeable(keep, located)
    taken = _take(bench, list(absorbed.values()), keep.path)
    keep = bench.drafts.locate(operation.keep)
    block, text = keep.block, keep.topic.text
    known = _conflict_free(keep.topic, taken)
    cited = [citation.id for citation in block.citations]
    new = [name for name in dict.fromkeys(n for t in taken for n in t.citations) if name not in cited]
    ids = (*block.aliases, *(block_id for t in taken for block_id in t.ids), block.id)
    bare = text[block.start : read_paragraph(keep.path, text, block.start, block.end).suffix]
    paragraph = f"{bare}{''.join(f'[^{name}]' for name in new)} {' '.join(f'^{name}' for name in ids)}"
    notes = {name: note for t in taken for name, note in t.footnotes.items() if name not in known}
    text = text[: block.start] + paragraph + text[block.end :]
    lines = [note.line for note in notes.values()]
    bench.drafts.put(keep.path, add_definitions(text, block.start + len(paragraph), lines))
    _arrived(bench, ids, keep.path)


def _mergeable(keep: Located, absorbed: Located) -> None:
    if keep.block.legacy or absorbed.block.legacy:
        legacy = keep.block.id if keep.block.legacy else absorbed.block.id
        refuse(f"{legacy} is an older record without block id and cannot be merged; write it anew first", keep.path)
    if (keep.path, keep.block.start) == (absorbed.path, absorbed.block.start):
        refuse(f"{absorbed.block.id} is already the same block as {keep.block.id}", keep.path)


def _paragraphs(bench: Bench, ids: tuple[BlockId, ...]) -> Iterator[tuple[BlockId, ...]]:
    """The ids by paragraph; each paragraph's must be named completely and in file order (5.14)."""
    at = 0
    while at < len(ids):
        whole = _ids_of_paragraph(bench.drafts.locate(ids[at]))
        given = ids[at : at + len(whole)]
        if given != whole:
            names = ", ".join(whole)
            if set(whole) <= set(ids):
                refuse(f"{names} are one paragraph: name them together, in physical block order")
            refuse(f"{names} are one physical block: move all of them together, or none")
        yield whole
        at += len(whole)


def _ids_of_paragraph(located: Located) -> tuple[BlockId, ...]:
    start, end = paragraph_of(located.topic, located.block)
    return tuple(name for block in located.topic.blocks if start <= block.start < end for name in block.ids)


def _take(bench: Bench, paragraphs: list[Located], path: TopicPath) -> list[Taken]:
    """Cut paragraphs out, and the footnotes that nothing else in their files cites."""
    taken = [_taken(located, path) for located in paragraphs]
    for source in dict.fromkeys(located.path for located in paragraphs):
        here = [(p, t) for p, t in zip(paragraphs, taken, strict=True) if p.path == source]
        topic = here[0][0].topic
        gone = [paragraph_of(topic, located.block) for located, _ in here]
        names = {name for _, note in here for name in note.citations}
        lone = names - cited_ids(topic, outside=gone)
        gone += [(d.start, d.end) for d in topic.definitions if d.id in lone]
        text = topic.text
        for start, end in sorted(gone, reverse=True):
            text = cut(text, start, end)
        bench.drafts.put(source, text)
    return taken


def _taken(located: Located, path: TopicPath) -> Taken:
    topic = located.topic
    start, end = paragraph_of(topic, located.block)
    citations = [citation.id for citation in read_paragraph(topic.path, topic.text, start, end).citations]
    links = redirect(topic, path, lambda link: link.target_path)
    return Taken(
        text=apply_edits(topic.text, list(links), start, end),
        ids=_ids_of_paragraph(located),
        citations=tuple(dict.fromkeys(citations)),
        footnotes=dict(_footnotes(topic, citations, path)),
    )


def _footnotes(topic: Topic, cited: Iterable[EvidenceId], path: TopicPath) -> Iterator[tuple[EvidenceId, Footnote]]:
    for name in dict.fromkeys(cited):
        definition = next((d for d in topic.definitions if d.id == name), None)
        if definition is not None:
            edits = definition_edits(topic, definition, path)
            line = apply_edits(topic.text, edits, definition.start, definition.end)
            yield name, Footnote(meaning_of(definition), line)


def _conflict_free(topic: Topic, taken: list[Taken]) -> set[EvidenceId]:
    """The footnotes that the destination has; one id must mean one thing everywhere (5.15)."""
    known = {definition.id: meaning_of(definition) for definition in reversed(topic.definitions)}
    coming: dict[EvidenceId, Meaning] = {}
    for name, note in ((name, note) for t in taken for name, note in t.footnotes.items()):
        if known.get(name, note.meaning) != note.meaning:
            refuse(f"[^{name}]: evidence definition conflicts with the one in {topic.path}", topic.path)
        if coming.setdefault(name, note.meaning) != note.meaning:
            refuse(f"[^{name}]: evidence definition conflicts across sources", topic.path)
    return set(known)


def _arrived(bench: Bench, ids: Iterable[BlockId], path: TopicPath) -> None:
    for block_id in ids:
        if bench.drafts.locate(block_id).path != path:  # pragma: no cover  (guards against a text that swallows)
            refuse(f"{block_id} did not arrive in {path}", path)
