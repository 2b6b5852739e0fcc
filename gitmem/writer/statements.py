"""Reading a batch: which sentences state something, when it happened, and how much each is worth recording."""

# ruff: noqa: RUF001  (punctuation of many scripts)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from gitmem.writer.chatter import WORD, Chatter, opened, opener_length, reason_to_leave_out
from gitmem.writer.dates import event_time, find_time, message_date
from gitmem.writer.people import is_person
from gitmem.writer.questions import answered, question_of
from gitmem.writer.salience import Context, score, specific_words
from gitmem.writer.sentences import LONGEST, sentences, storable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from gitmem.writer.base import BatchTurn
    from gitmem.writer.questions import Question

WORTH_RECORDING = 0.8
"""The least score of a sentence that goes on record."""
_LEANS = re.compile(
    r"(?:and |but |so )?(?:it|its|that|this|they|their|these|those|he|his|she|her|there|which)\b|[它他她这那]",
    re.IGNORECASE,
)
"""Openings that say little without the sentence before."""
_WORTH_JOINING = 0.6
"""The least score of a sentence that joins the one before, on which it leans."""
_WORTH_LEANING_ON = 0.3
_LONGEST_JOINED = LONGEST // 2
_MOST_SENTENCES = 500
"""Of one turn; a turn of more is a pasted document, whose beginning has to do."""
_FEWEST_LEFT = 3
"""Words of what an acknowledgement is cut from."""
_PAUSE_HOURS = 3
"""After so long a talk opens anew."""
_OPENING_TURNS = 2
_ANSWER_WITHIN = 2
"""The last sentence of a turn, from 0, that still answers what was asked right before."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A run of adjacent sentences of one turn that states something.

    ``turn`` is the index in the batch, ``first`` and ``last`` the ordinals of its sentences there; ``sentences`` are
    the verbatim texts with whitespace collapsed; ``when`` the event time; ``names_time`` whether the words name one;
    ``opener`` the acknowledgement that was cut from its front. ``question`` is what its turn answers, if it may be the
    answer; with ``quotes`` it stands in the prose.
    """

    turn: int
    first: int
    last: int
    sentences: tuple[str, ...]
    when: str | None
    names_time: bool
    score: float
    opener: str = ""
    question: Question | None = None
    quotes: bool = False

    @property
    def text(self) -> str:
        """The prose."""
        said = joined(self.sentences)
        return answered(self.question, said) if self.question and self.quotes else said

    def followed_by(self, other: Statement) -> Statement:
        """The two as one; the time is the one that is named, if any."""
        when = other.when if other.names_time and not self.names_time else self.when
        return replace(
            self,
            last=other.last,
            sentences=(*self.sentences, other.opener + other.sentences[0], *other.sentences[1:]),
            when=when,
            names_time=self.names_time or other.names_time,
            quotes=self.quotes or other.quotes,
            score=max(self.score, other.score),
        )


def joined(texts: Sequence[str]) -> str:
    """Sentences as one paragraph: a blank between them, none after a full stop that is as wide as a character."""
    out = texts[0]
    for text in texts[1:]:
        out += text if out[-1] in "。！？｡」』）" else f" {text}"
    return out


def read_statements(turns: Sequence[BatchTurn]) -> list[Statement]:
    """Every statement of the turns that is worth recording by itself, in order."""
    found: list[Statement] = []
    surroundings = _Surroundings(turns)
    for index, turn in enumerate(turns):
        found += _of_turn(index, turn, surroundings)
    return [statement for statement in found if statement.score >= WORTH_RECORDING]


def _of_turn(index: int, turn: BatchTurn, surroundings: _Surroundings) -> list[Statement]:
    read = islice(sentences(turn.content), _MOST_SENTENCES)
    texts = [
        sentence.text if len(sentence.text) <= LONGEST else "" for sentence in read
    ]  # what is too long is not read
    said_on = message_date(turn.timestamp)
    contexts, question = surroundings.of(index, texts)
    found: list[Statement] = []
    for ordinal, (text, context) in enumerate(zip(texts, contexts, strict=True)):
        reason = reason_to_leave_out(text, context.names, assistant=context.assistant)
        if reason is Chatter.FRAGMENT and question and specific_words(text):
            reason = None  # "Basel." says where somebody lives
        if reason or not storable(text):
            continue
        worth = score(text, context)
        when = event_time(text, said_on)
        opener, fact = _cut(text, context.names)
        asked = question if ordinal <= _ANSWER_WITHIN else None
        statement = Statement(index, ordinal, ordinal, (fact,), when, context.dated, worth, opener, asked)
        if found and _belongs(found[-1], statement):
            found[-1] = found[-1].followed_by(statement)
        else:
            found.append(statement)
    return found


def _cut(text: str, names: frozenset[str]) -> tuple[str, str]:
    """A sentence's opener and what it states after it; no opener where too little, or no prose, would be left."""
    length = opener_length(text, names)
    fact = text[length:]
    return (
        (text[:length], fact)
        if len(WORD.findall(fact)) >= _FEWEST_LEFT and specific_words(fact) and storable(fact)
        else ("", text)
    )


def _belongs(before: Statement, statement: Statement) -> bool:
    """Whether a sentence goes with the one right before it, on which it leans."""
    return (
        before.last + 1 == statement.first
        and before.score >= _WORTH_LEANING_ON
        and statement.score >= _WORTH_JOINING
        and _LEANS.match(statement.opener + statement.text) is not None
        and not (before.names_time and statement.names_time)
        and len(before.text) + len(statement.text) <= _LONGEST_JOINED
    )


class _Surroundings:
    """What the writer remembers while it reads: who talks, what was asked, which words were used."""

    def __init__(self, turns: Sequence[BatchTurn]) -> None:
        self._turns = turns
        self._names = _names(turns)
        self._used: set[str] = set()
        self._threads: dict[str, tuple[int, int]] = {}
        """Of each thread its last turn's index, and how many turns passed since it opened or paused."""

    def of(self, index: int, texts: list[str]) -> tuple[Iterator[Context], Question | None]:
        """The context of each sentence of the next turn, and the question that a person answers with it."""
        turn = self._turns[index]
        thread = turn.handle.rpartition("/" if "/" in turn.handle else ":")[0]
        before, passed = self._threads.get(thread, (None, 0))
        if before is None or _paused(self._turns[before], turn):
            before, passed = None, 0
        self._threads[thread] = index, passed + 1
        answers = before is not None and _asked(self._turns[before], turn)
        question = None
        if answers and before is not None and is_person(turn):
            question = question_of(before, self._turns[before], self._names)
        contexts = []
        for ordinal, text in enumerate(texts):
            fresh = sum(word not in self._used for word in specific_words(text))
            place = ordinal / (len(texts) - 1) if len(texts) > 1 else 0.5
            dated = find_time(text) is not None
            contexts.append(
                Context(
                    answers=answers,
                    opens=passed < _OPENING_TURNS,
                    place=place,
                    names=self._names,
                    fresh=fresh,
                    dated=dated,
                    reminder=opened(text, self._names).reminder,
                    assistant=not is_person(turn),
                )
            )
        for text in texts:
            self._used.update(specific_words(text))
        return iter(contexts), question


def _asked(before: BatchTurn, turn: BatchTurn) -> bool:
    """Whether somebody else asked something in the turn before."""
    same = (before.role, before.speaker_id, before.speaker_display) == (
        turn.role,
        turn.speaker_id,
        turn.speaker_display,
    )
    return not same and ("?" in before.content or "？" in before.content)


def _paused(before: BatchTurn, turn: BatchTurn) -> bool:
    """Whether a talk was taken up again, by the clock where the timestamps have one."""
    try:
        earlier, later = (datetime.fromisoformat(t.timestamp or "") for t in (before, turn))
        return abs((later - earlier).total_seconds()) > _PAUSE_HOURS * 3600
    except (ValueError, TypeError):
        days: list[date | None] = [message_date(t.timestamp) for t in (before, turn)]
        return days[0] != days[1]


def _names(turns: Sequence[BatchTurn]) -> frozenset[str]:
    """What those who talk are called, in lower case: the words of their names, and short forms that are in use."""
    words = {word for turn in turns for word in WORD.findall((turn.speaker_display or "").casefold())}
    said = {match for turn in turns for match in _CAPITALIZED.findall(turn.content[:10_000])}
    short = {name.casefold() for name in said if any(word.startswith(name.casefold()) for word in words)}
    return frozenset(words | short)


_CAPITALIZED = re.compile(r"(?<=, )[A-Z][a-z]{1,8}(?=[!.,?])")
