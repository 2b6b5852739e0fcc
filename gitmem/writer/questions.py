"""The question that an answer says little without: "About three years." answers how long somebody had a dog."""

# ruff: noqa: RUF001  (quotation marks and dashes)

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.writer.chatter import UNSPACED, Chatter, opener_length, reason_to_leave_out
from gitmem.writer.duplicates import ENOUGH, signature
from gitmem.writer.salience import specific_words
from gitmem.writer.sentences import sentences, storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.writer.base import BatchTurn

LONGEST = 200
"""Characters; a longer question is a story of its own."""
_FEWEST_CHARACTERS = 4
"""Of a script that is written without spaces."""
_ANSWERED = re.compile(r"“([^“”]+)” – ")
_MOST_READ = 10_000
"""Characters of a message that are searched for its question."""


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked: the index of its turn in the batch, and its words."""

    turn: int
    text: str


def question_of(index: int, turn: BatchTurn, names: frozenset[str]) -> Question | None:
    """The last question of a turn that names something and can be quoted; ``names`` are those of the people."""
    asked = None
    for sentence in sentences(turn.content[:_MOST_READ]):
        text = sentence.text
        if reason_to_leave_out(text, names) is Chatter.QUESTION:
            bare = text[opener_length(text, names) :]
            asked = bare if storable(bare) else text
    if asked is None or len(asked) > LONGEST or not storable(asked) or not {"“", "”"}.isdisjoint(asked):
        return None
    named = specific_words(asked) or len(UNSPACED.findall(asked)) >= _FEWEST_CHARACTERS
    return Question(index, asked) if named else None


def split_answer(text: str) -> tuple[str | None, str]:
    """The question that a block quotes, ``None`` without one, and what it says besides; the reverse of ``answered``."""
    found = _ANSWERED.match(text)
    return (found[1], text[found.end() :]) if found else (None, text)


def in_context(question: str | None, sentences: Sequence[str]) -> tuple[str, ...]:
    """The sentences of an answer as they are compared: a short one tells the same only after the same question."""
    first, *rest = sentences
    if question is not None and len(signature(first, None).terms) < ENOUGH:
        return f"{question} {first}", *rest
    return tuple(sentences)


def answered(question: Question, answer: str) -> str:
    """An answer with its question in front, as one paragraph."""
    return f"“{question.text}” – {answer}"
