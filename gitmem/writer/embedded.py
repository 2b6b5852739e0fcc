"""The embedded writer: no model, no network, the same operations for the same input everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.format.layout import targets_of
from gitmem.format.paragraph import read_paragraph
from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath
from gitmem.request import CiteRecord, CreateRecord, Destination, RecordsEdit, SourceRef
from gitmem.writer.base import WriterResult
from gitmem.writer.dates import message_date
from gitmem.writer.duplicates import Home, Signature, Told, signature, tellings
from gitmem.writer.legacy_core import carried_over, is_legacy_core
from gitmem.writer.limits import allowance
from gitmem.writer.pages import Pages
from gitmem.writer.people import People, is_person, title_of
from gitmem.writer.questions import in_context, split_answer
from gitmem.writer.selection import select
from gitmem.writer.sentences import split
from gitmem.writer.statements import Statement, read_statements
from gitmem.writer.subjects import Subjects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.format.model import Claim
    from gitmem.request import RecordOperation
    from gitmem.writer.base import Batch, BatchTurn, Memory, Refusal

_PROBE = TopicPath("topics/probe.md")

UNDATED = "Undated"
"""The heading over what nobody knows the time of."""


@dataclass(frozen=True, slots=True)
class EmbeddedWriter:
    """Records what people state, verbatim, in a file per person, and what an assistant states in a file per subject."""

    name: str = "embedded"
    signature: str = "embedded"
    repairs: bool = False

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        """Record operations in the order in which things were said (``behaviours.md`` parts 9 and 10).

        It is never told of a refusal: the same batch has the same result.
        """
        cores = [turn for turn in batch.turns if is_legacy_core(turn)]
        talk = replace(batch, turns=tuple(turn for turn in batch.turns if turn not in cores)) if cores else batch
        operations = (
            *(operation for turn in cores for operation in carried_over(turn, memory, stands_as_block)),
            *_Distillation(talk, memory).operations(),
        )
        return WriterResult(RecordsEdit(operations)) if operations else WriterResult(nothing_to_record=True)


@dataclass(slots=True)
class _Fact:
    """A statement and the turns that made it, the first one first."""

    statement: Statement
    turns: list[int]


@dataclass(slots=True)
class _Again:
    """A recorded claim that was stated again: where, and of what time."""

    claim: Claim
    turn: int
    when: str | None


class _Distillation:
    """The work on one batch."""

    def __init__(self, batch: Batch, memory: Memory) -> None:
        self._batch = batch
        self._turns = batch.turns
        self._memory = memory
        people = People(memory)
        self._files = {turn: people.file_of(turn) for turn in batch.turns if is_person(turn)}
        self._pages = Pages(memory)
        self._subjects = Subjects(batch.turns, memory)
        self._told: dict[TopicPath | None, Told[_Fact]] = {}
        self._recorded: dict[TopicPath, Told[Claim]] = {}

    def operations(self) -> Iterable[RecordOperation]:
        facts, again = self._compare(read_statements(self._turns))
        chosen = select([fact.statement for fact in facts], allowance(self._batch))
        kept = [self._kept(standing, facts) for statement in chosen if (standing := _standing(statement))]
        places = self._places(kept)
        ordered: list[tuple[int, RecordOperation]] = [
            *((repeat.turn, self._cite(repeat)) for repeat in again),
            *((fact.statement.turn, self._create(fact, place)) for fact, place in zip(kept, places, strict=True)),
        ]
        return [operation for _, operation in sorted(ordered, key=lambda pair: pair[0])]

    # --- what was said before -----------------------------------------------------------------------------------

    def _compare(self, statements: list[Statement]) -> tuple[list[_Fact], list[_Again]]:
        """New facts, each with every turn that states it, and recorded claims that are stated again."""
        facts: list[_Fact] = []
        again: list[_Again] = []
        for statement in statements:
            asked = statement.question.text if statement.question else None
            told_as = in_context(asked, statement.sentences)
            said = [signature(sentence, statement.when) for sentence in told_as]
            claim = self._recorded_claim(statement, said)
            if claim is not None:
                if not self._cites(claim, statement.turn, again):
                    again.append(_Again(claim, statement.turn, statement.when))
                continue
            told = self._told.setdefault(self._home(statement), Told())
            known = _all_alike(told, said)
            if known is None:
                known = _Fact(statement, [])
                facts.append(known)
                for sentence in told_as:
                    for one in tellings(sentence, statement.when):
                        told.add(one, known)
            if statement.turn not in known.turns:
                known.turns.append(statement.turn)
        return facts, again

    def _home(self, statement: Statement) -> TopicPath | None:
        """The file of a person's words; ``None`` for an assistant's, which are filed when all are known."""
        path, _ = self._files.get(self._turns[statement.turn], (None, None))
        return path

    def _recorded_claim(self, statement: Statement, said: list[Signature]) -> Claim | None:
        shelves = self._shelves(self._home(statement), statement)
        found = (_all_alike(self._recorded_in(path), said) for path in shelves)
        return next((claim for claim in found if claim is not None), None)

    def _shelves(self, home: TopicPath | None, statement: Statement) -> Iterable[TopicPath]:
        """Where the same may stand already: in a person's file and pages, or in what an assistant's words fit."""
        if home is None:
            return self._subjects.existing_for(statement.turn, statement.text)
        return self._pages.pages(home, month_of(self._turns[statement.turn]))

    def _recorded_in(self, path: TopicPath) -> Told[Claim]:
        told = self._recorded.get(path)
        if told is None:
            told = self._recorded[path] = Told()
            for claim in self._memory.of_topic(path):
                question, answer = split_answer(" ".join(claim.content.split()))
                for sentence in in_context(question, tuple(split(answer)) or (answer,)):
                    for when in claim.whens or (None,):
                        for one in tellings(sentence, when):
                            told.add(one, claim)
        return told

    def _cites(self, claim: Claim, turn: int, again: list[_Again]) -> bool:
        """Whether a claim rests on a turn already, or is about to."""
        targets = targets_of(self._turns[turn].handle)
        cited = any(link.resolved in targets for evidence in claim.evidence for link in evidence.sources)
        return cited or any(repeat.claim.id == claim.id and repeat.turn == turn for repeat in again)

    # --- where it goes ------------------------------------------------------------------------------------------

    def _kept(self, statement: Statement, facts: list[_Fact]) -> _Fact:
        """A chosen statement with the turns of every fact that it has come to hold."""
        held = [fact for fact in self._by_turn(facts, statement.turn) if _holds(statement, fact.statement)]
        turns = [turn for fact in held for turn in fact.turns]
        if statement.question and statement.quotes:
            turns.append(statement.question.turn)
        return _Fact(statement, list(dict.fromkeys(turns)))

    def _by_turn(self, facts: list[_Fact], turn: int) -> list[_Fact]:
        return [fact for fact in facts if fact.statement.turn == turn]

    def _places(self, facts: list[_Fact]) -> list[Destination]:
        stated = [(f.statement.turn, f.statement.text) for f in facts if self._home(f.statement) is None]
        filed = self._subjects.file(stated)
        places = []
        for fact in facts:
            turn, statement = self._turns[fact.statement.turn], fact.statement
            if turn in self._files:
                path, title = self._files[turn]
                month = month_of(turn)
                places.append(Destination(self._pages.pages(path, month)[-1], (title, month)))
            else:
                subject = filed[statement.turn, statement.text]
                places.append(Destination(subject.path, (subject.title,)))
        return places

    # --- operations ---------------------------------------------------------------------------------------------

    def _create(self, fact: _Fact, place: Destination) -> CreateRecord:
        sources = tuple(self._source(turn) for turn in fact.turns)
        return CreateRecord(fact.statement.text, fact.statement.when, sources, place)

    def _cite(self, repeat: _Again) -> CiteRecord:
        return CiteRecord(repeat.claim.id, repeat.when, (self._source(repeat.turn),))

    def _source(self, turn: int) -> SourceRef:
        return SourceRef(self._turns[turn].handle, label_of(self._turns[turn]))


def label_of(turn: BatchTurn) -> str:
    """What a reader of a footnote sees of a source: who said it, and when; the link says where it stands."""
    said_on = message_date(turn.timestamp)
    return f"{title_of(turn)}, {said_on.isoformat()}" if said_on else title_of(turn)


def month_of(turn: BatchTurn) -> str:
    """The heading of a person's file under which a turn's statements stand: the month it was said in."""
    said_on = message_date(turn.timestamp)
    return said_on.isoformat()[:7] if said_on else UNDATED


def _standing(statement: Statement) -> Statement | None:
    """A statement that can stand as a block, without its question if need be."""
    bare = replace(statement, quotes=False)
    return next((one for one in (statement, bare) if stands_as_block(one.text)), None)


def _holds(whole: Statement, part: Statement) -> bool:
    return whole.first <= part.first and part.last <= whole.last


def _all_alike(told: Told[Home], said: list[Signature]) -> Home | None:
    """Where every one of some sentences was told; the place of the first."""
    places = [told.same_as(one) for one in said]
    return places[0] if all(place is not None for place in places) else None


@lru_cache(maxsize=4096)
def stands_as_block(text: str) -> bool:
    """Whether a topic reads a text back as the prose of one block, and as nothing else besides (5.19)."""
    bare = read_paragraph(_PROBE, text, 0, len(text))
    if bare.ids or bare.bad_ids:
        return False
    topic = parse_topic(_PROBE, f"{text}[^e-0] ^0\n\n[^e-0]: Time: `undated`; Sources: [a/b/c](a/b/c)\n")
    blocks = topic.blocks
    whole = len(blocks) == 1 and blocks[0].content == text and len(blocks[0].citations) == 1
    return whole and not (topic.defects or topic.elements or topic.headings or blocks[0].links)
