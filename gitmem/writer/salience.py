"""How much a sentence is worth recording: the sum of the signals it shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.writer import lexicon, signals
from gitmem.writer.chatter import UNSPACED, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a sentence.

    ``answers``: the turn before, by somebody else, asked something. ``opens``: its turn is one of the first of a talk.
    ``place``: 0.0 for the first sentence of its turn to 1.0 for the last. ``names``: lower-case names of those who
    talk. ``fresh``: how many of its specific words nobody used before. ``dated``: it names a time. ``reminder``: it
    asks to be remembered. ``assistant``: an assistant says it, so that "I" is nobody's life.
    """

    answers: bool = False
    opens: bool = False
    place: float = 0.5
    names: frozenset[str] = frozenset()
    fresh: int = 0
    dated: bool = False
    reminder: bool = False
    assistant: bool = False


_MOST_NAMES, _MOST_SPECIFIC, _MOST_FRESH = 2, 6, 4
_UNSPACED_PER_WORD, _UNSPACED_PER_FRESH_WORD = 3, 6
"""Characters of an unspaced script that weigh as one specific word, and as one new one."""
_LATER_WORD = re.compile(r"(?<=[^\W\d_,;:)–-] )[\"“(]?([^\W\d_][\w']*)")  # noqa: RUF001  (the dash of a clause)
_SHORTEST_SPECIFIC = 3
_PERSONAL = frozenset({signals.FIRST_PERSON.name, "number", "preference"})
"""Signals that what somebody asks to be remembered is about them."""


def is_specific(word: str) -> bool:
    """Whether a case-folded word names something; words of unspaced scripts cannot be told."""
    return (
        len(word) >= _SHORTEST_SPECIFIC
        and not UNSPACED.search(word)
        and word not in lexicon.FUNCTION
        and word not in lexicon.WARM
        and word not in lexicon.COMMON
    )


def specific_words(text: str) -> tuple[str, ...]:
    """The words that say what a sentence is about, case-folded, each once, in order; none from unspaced scripts."""
    words = (word.casefold().removesuffix("'s") for word in WORD.findall(text.replace("\u2019", "'")))
    return tuple(dict.fromkeys(word for word in words if is_specific(word)))


def score(sentence: str, context: Context) -> float:
    """The sum of a sentence's signals, in thousandths so that ranking never hangs on the last bit."""
    return round(sum(shown(sentence, context).values()), 3)


def shown(sentence: str, context: Context) -> dict[str, float]:
    """Every signal that a sentence shows, with what it adds to the score."""
    text = sentence.replace("\u2019", "'")
    table = (*signals.STATED, *(signals.ASSISTANT if context.assistant else (signals.FIRST_PERSON,)))
    found = {signal.name: signal.weight for signal in table if signal.pattern.search(text)}
    if context.reminder and (_PERSONAL & found.keys() or context.dated):  # else it is encouragement
        found["asks to be remembered"] = signals.REMINDER
    return {name: weight for name, weight in (found | _of_words(text, context) | _of_place(context)).items() if weight}


def _of_words(text: str, context: Context) -> dict[str, float]:
    unspaced = len(UNSPACED.findall(text))
    specific = len(specific_words(text)) + unspaced // _UNSPACED_PER_WORD
    fresh = context.fresh + unspaced // _UNSPACED_PER_FRESH_WORD
    names = sum(1 for _ in _proper_names(text, context.names))
    return {
        "specific words": signals.SPECIFIC * min(_MOST_SPECIFIC, specific),
        "new words": signals.FRESH * min(_MOST_FRESH, fresh),
        "names": signals.NAME * min(_MOST_NAMES, names),
        "warmth": signals.WARMTH * _warmth(text),
        "calls somebody by name": signals.CALLS * any(w in context.names for w in WORD.findall(text.casefold())),
    }


def _of_place(context: Context) -> dict[str, float]:
    return {
        "names a time": signals.DATED * context.dated,
        "answers a question": signals.ANSWER * context.answers,
        "opens the talk": signals.OPENS * context.opens,
        "place in the turn": signals.PLACE * context.place,
    }


def _proper_names(text: str, names: frozenset[str]) -> Iterator[str]:
    """Capitalized words inside a sentence, those who talk left out."""
    for match in _LATER_WORD.finditer(text):
        word = match[1]
        if word[0].isupper() and word.split("'")[0] != "I" and word.casefold().removesuffix("'s") not in names:
            yield word


def _warmth(text: str) -> float:
    """The share of kind words among those that are not small ones."""
    content = [word for word in WORD.findall(text.casefold()) if word not in lexicon.FUNCTION]
    return sum(word in lexicon.WARM for word in content) / len(content) if content else 0.0
