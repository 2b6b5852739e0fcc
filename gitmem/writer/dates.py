"""When what a sentence tells happened.

Relative expressions are resolved against the date of the message, in the message's own offset; the library's own clock,
locale and time zone are never asked, so the same message gives the same time everywhere.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.dates import read_phrase
from gitmem.format.evidence import valid_when
from gitmem.writer.date_rules import ENGLISH, ENGLISH_HINT, Expression, Grain, Rule, Toward
from gitmem.writer.date_rules_more import LANGUAGES
from gitmem.writer.tenses import looks_ahead, tells_of_the_past

if TYPE_CHECKING:
    from collections.abc import Iterable

_ANY_DIGIT_RUN = re.compile(r"[0-9]{1,12}(?:\.[0-9]+)?")
_NEUTRAL = datetime(2060, 1, 1)  # noqa: DTZ001  (dateparser wants a naive base)
"""The base for what needs none; two-digit years are read as the last that ended so before it."""


@lru_cache(maxsize=8192)
def find_time(sentence: str) -> Expression | None:
    """The first time that a sentence names, in any of the languages known."""
    found: list[Expression] = []
    sentence = sentence.replace("\u2019", "'")
    if ENGLISH_HINT.search(sentence):
        found += _all(ENGLISH, sentence)
    for shows, rules in LANGUAGES:
        if shows.search(sentence):
            found += _all(rules, sentence)
    return min(found, key=lambda expression: expression.start, default=None)


def _all(rules: Iterable[Rule], sentence: str) -> list[Expression]:
    return [expression for rule in rules if (expression := rule.find(sentence)) is not None]


def event_time(sentence: str, said_on: date | None) -> str | None:
    """The event time of a sentence: ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``, as exact as its words are.

    Without an expression it is the day it was said; ``None`` (undated) when neither is known.
    """
    sentence = sentence.replace("\u2019", "'")
    expression = find_time(sentence)
    said = said_on.isoformat() if said_on else None
    if expression is None or (said_on is None and not expression.complete):
        return said
    past = tells_of_the_past(sentence)
    if expression.phrase.startswith("in ") and past:  # "read it in two weeks" says how long, not when
        return said
    toward = _direction(expression, sentence, past=past)
    if toward is Toward.OPEN:
        return _nearest(expression, said_on) or said
    return _resolved(expression, said_on, toward) or said


def _direction(expression: Expression, sentence: str, *, past: bool) -> Toward:
    """Which way an expression points: as its words say, else as the sentence's verbs do; a weekday is ahead."""
    if expression.toward is not Toward.OPEN:
        return expression.toward
    future = looks_ahead(sentence)
    if past is future and not expression.phrase.endswith("day"):
        return Toward.OPEN
    return Toward.PAST if past and not future else Toward.FUTURE


def _nearest(expression: Expression, said_on: date | None) -> str | None:
    """The reading that is nearest to the day it was said; the later one of two that are as near."""
    readings = [_resolved(expression, said_on, toward) for toward in (Toward.FUTURE, Toward.PAST)]
    known = [reading for reading in readings if reading]
    return min(known, key=lambda when: _distance(when, said_on), default=None)


def _distance(when: str, said_on: date | None) -> int:
    """Days between the day it was said and the first day of a time."""
    first = date.fromisoformat(f"{when}-01-01"[:10] if len(when) == len("2023") else f"{when}-01"[:10])
    return abs((first - said_on).days) if said_on else 0


def _resolved(expression: Expression, said_on: date | None, toward: Toward) -> str | None:
    base = _NEUTRAL if said_on is None else datetime(said_on.year, said_on.month, said_on.day)  # noqa: DTZ001  (as above)
    read = read_phrase(expression.phrase, base, toward.value)
    if read is None:
        return None
    day, period = read
    if expression.weekday is not None:
        day = date.fromordinal(max(1, day.toordinal() + expression.weekday - day.weekday()))
    if expression.grain is not Grain.AS_READ:
        period = expression.grain.value
    length = {"year": 4, "month": 7}.get(period, 10)
    when = day.isoformat()[:length]
    return when if valid_when(when) else None


@lru_cache(maxsize=1024)
def message_date(timestamp: str | None) -> date | None:
    """The date of a message, in the offset its timestamp states (10.7).

    ISO 8601, Unix seconds (as UTC), or whatever date an export wrote out; ``None`` when there is none to read.
    """
    text = (timestamp or "").strip()
    if not text:
        return None
    try:
        if _ANY_DIGIT_RUN.fullmatch(text) and len(text.partition(".")[0]) != len("20230508"):
            return datetime.fromtimestamp(float(text), UTC).date()
        return datetime.fromisoformat(text).date()
    except (ValueError, OverflowError, OSError):
        read = read_phrase(text[:100], _NEUTRAL, Toward.PAST.value)
        return read[0] if read else None
