"""Footnotes of an edited text: local labels become evidence ids, names of sources become links.

``behaviours.md`` 0.11, 0.30, 2.1 and 2.3.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.edit.evidence import meaning_of, missing
from gitmem.edit.rebase import apply_edits
from gitmem.edit.rebind import LOCAL_LABEL, completed, paragraphs, rebound
from gitmem.edit.splice import cut
from gitmem.format.evidence import parse_definition, render_definition
from gitmem.format.links import relative_target, resolve_target
from gitmem.format.model import SourceLink
from gitmem.format.topic import parse_topic
from gitmem.ids import EvidenceId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.edit.bench import Bench
    from gitmem.edit.rebase import Edit
    from gitmem.errors import Finding
    from gitmem.facts.base import Meaning
    from gitmem.format.model import Definition, Topic
    from gitmem.ids import TopicPath


@dataclass(frozen=True, slots=True)
class Footnote:
    """A definition with its sources as links; ``line`` is as it stands now, ``kept`` says that it stood so before."""

    definition: Definition
    sources: tuple[SourceLink, ...]
    kept: bool

    @property
    def meaning(self) -> Meaning:
        """What it stands for, its names of sources resolved."""
        return self.definition.when, tuple(link.resolved or link.target for link in self.sources)


def normalize_footnotes(bench: Bench, path: TopicPath, origins: tuple[TopicPath, ...]) -> tuple[Finding, ...]:
    """Normalize one draft and give the sources that are missing; ``origins`` are the files that blocks of it left."""
    topic = bench.drafts.topic(path)
    if topic is None:
        return ()
    topic = completed(bench.drafts, rebound(topic))
    notes, findings = _resolved(bench, topic, origins)
    if findings:
        return findings
    names = _names(bench, topic, notes)
    edits = [*_citation_edits(topic, names), *_definition_edits(notes, names)]
    before = bench.drafts.topic_before(path)
    bench.drafts.put(path, _without_twins(parse_topic(path, apply_edits(topic.text, edits)), before))
    return ()


# --- sources ----------------------------------------------------------------------------------------------------


def _resolved(bench: Bench, topic: Topic, origins: tuple[TopicPath, ...]) -> tuple[list[Footnote], tuple[Finding, ...]]:
    before = bench.drafts.topic_before(topic.path)
    lines = {_line(before, definition) for definition in before.definitions} if before is not None else set()
    notes: list[Footnote] = []
    findings: list[Finding] = []
    for definition in topic.definitions:
        kept = _line(topic, definition) in lines
        sources = definition.sources
        if not kept and parse_definition(topic.path, _line(topic, definition)).defects:
            continue  # left as it is written, for the check that says what is wrong with it
        if not kept:
            found = [_source(bench, topic.path, link, origins) for link in sources]
            pairs = zip(found, sources, strict=True)
            findings += [missing(link.target, topic.path, definition.line) for new, link in pairs if new is None]
            sources = tuple(link for link in found if link is not None)
        notes.append(Footnote(definition, sources, kept))
    return notes, tuple(findings)


def _line(topic: Topic, definition: Definition) -> str:
    return topic.text[definition.start : definition.end]


def _source(bench: Bench, path: TopicPath, link: SourceLink, origins: tuple[TopicPath, ...]) -> SourceLink | None:
    """The source as a link that fits the file; ``None`` for a name that no archived message answers to.

    A link that reaches nothing from here may have been pasted from another folder; one that reaches nothing from
    there either is left for the check.
    """
    record = bench.book.find(link.target, path)
    if record is not None and link.resolved is not None:
        return link
    if record is None:
        targets = (resolve_target(origin, link.target) for origin in origins)
        record = next((found for t in targets if t is not None and (found := bench.book.at(t)) is not None), None)
    if record is None:
        return link if link.resolved is not None else None
    label = record.handle if link.label == link.target else link.label
    return SourceLink(label, relative_target(path, record.target), record.target)


# --- ids --------------------------------------------------------------------------------------------------------


def _names(bench: Bench, topic: Topic, notes: list[Footnote]) -> dict[EvidenceId, EvidenceId]:
    """The id that each label of the text gets; ids that stand for what they stood for are never recomputed."""
    names: dict[EvidenceId, EvidenceId] = {}
    by_meaning: dict[Meaning, EvidenceId] = {}
    units = _units(bench, topic)
    for note in sorted(notes, key=lambda note: not note.kept):
        name = note.definition.id
        if name not in names and (note.kept or name in units or _stands(bench, topic, note)):
            known = by_meaning.setdefault(note.meaning, name)
            is_local = LOCAL_LABEL.fullmatch(name) and not (note.kept or name in units)
            names[name] = known if is_local else name
    for note in notes:
        name = note.definition.id
        if name not in names:
            if note.meaning not in by_meaning:
                by_meaning[note.meaning] = bench.book.id_for(note.meaning, topic)
            names[name] = by_meaning[note.meaning]
            bench.labelled.setdefault(topic.path, {})[name] = names[name]
    return names


def _units(bench: Bench, topic: Topic) -> frozenset[EvidenceId]:
    """Legacy units of the file: their citation is their identity, whatever their footnote comes to say.

    One that stood in another file before is one too: it has moved.
    """
    before = bench.drafts.topic_before(topic.path)
    stood = (block for block in (before.blocks if before is not None else ()) if block.legacy)
    moved = (block for block in topic.blocks if block.legacy and bench.drafts.facts.claims(block.id))
    return frozenset(EvidenceId(block.id) for block in (*stood, *moved))


def _stands(bench: Bench, topic: Topic, note: Footnote) -> bool:
    """Whether the label is an id that already has this meaning, in this file or anywhere."""
    before = bench.drafts.topic_before(topic.path)
    here = before.definitions if before is not None else ()
    known = any(d.id == note.definition.id and meaning_of(d) == note.meaning for d in here)
    return known or note.meaning in bench.drafts.facts.meanings(note.definition.id)


# --- writing ----------------------------------------------------------------------------------------------------


def _citation_edits(topic: Topic, names: dict[EvidenceId, EvidenceId]) -> Iterator[Edit]:
    for _, citations in paragraphs(topic):
        last: tuple[int, EvidenceId] | None = None
        for citation in citations:
            name = names.get(citation.id, citation.id)
            if name != citation.id:
                again = last == (citation.start, name)
                yield citation.start, citation.end, "" if again else f"[^{name}]"
            last = citation.end, name


def _definition_edits(notes: list[Footnote], names: dict[EvidenceId, EvidenceId]) -> Iterator[Edit]:
    meant: dict[EvidenceId, Meaning] = {}
    for note in notes:
        definition = note.definition
        first = meant.setdefault(definition.id, note.meaning)
        if note.kept or definition.id not in names or note.meaning != first:
            continue  # a label given two meanings stays, for the check that refuses it
        line = render_definition(names[definition.id], definition.when, note.sources)
        yield definition.start, definition.end, line


def _without_twins(topic: Topic, before: Topic | None) -> str:
    """The text with one definition for each id: the one that stood there before, else the first."""
    old = before.definitions if before is not None else ()
    lines = {_line(before, definition) for definition in old} if before is not None else set()
    counts = Counter(definition.id for definition in old)
    groups: dict[EvidenceId, list[Definition]] = {}
    for definition in topic.definitions:
        groups.setdefault(definition.id, []).append(definition)
    extra: list[Definition] = []
    for name, twins in groups.items():
        if len(twins) > max(1, counts[name]):
            first = next((twin for twin in twins if _line(topic, twin) in lines), twins[0])
            extra += [twin for twin in twins if twin is not first and meaning_of(twin) == meaning_of(first)]
    text = topic.text
    for definition in sorted(extra, key=lambda definition: definition.start, reverse=True):
        text = cut(text, definition.start, definition.end)
    return text
