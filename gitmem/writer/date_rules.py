"""The shape of a rule that finds a time in a sentence, and the English ones.

The date library parses an expression; finding one in running text is left to patterns, because searching whole
sentences takes words for times ("may", "sat") and costs a thousand times more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Toward(StrEnum):
    """Which way from the message an expression points, where its words say so."""

    PAST = "past"
    FUTURE = "future"
    OPEN = "open"


class Grain(StrEnum):
    """How exact an expression is, where it is less exact than its phrase reads."""

    AS_READ = "as read"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Expression:
    """A time found in a sentence: where (offsets), the English phrase to parse, and how it is meant.

    ``weekday`` (0 is Monday) picks a day of the week that the phrase names. ``complete``: needs no message date.
    """

    start: int
    end: int
    phrase: str
    toward: Toward = Toward.OPEN
    grain: Grain = Grain.AS_READ
    weekday: int | None = None
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, and the template (as for ``re.Match.expand``) of the phrase that stands for its match.

    ``words`` are replaced in the phrase; ``weekdays`` lists how the group ``day`` may spell Monday to Sunday, one
    character each. The expression starts at the first group, so that a preposition before it does not count.
    """

    pattern: re.Pattern[str]
    template: str
    toward: Toward = Toward.OPEN
    grain: Grain = Grain.AS_READ
    words: Mapping[str, str] = field(default_factory=dict)
    weekdays: str = ""
    complete: bool = False

    def find(self, text: str) -> Expression | None:
        """The first expression of this kind."""
        match = self.pattern.search(text)
        if match is None:
            return None
        phrase = match.expand(self.template)
        for word, other in self.words.items():
            phrase = phrase.replace(word, other)
        day = self.weekdays.index(match["day"]) % 7 if self.weekdays else None
        start = match.start(1) if self.pattern.groups else match.start()
        return Expression(start, match.end(), phrase, self.toward, self.grain, day, self.complete)


DAY_OF_MONTH = r"(?:3[01]|[12][0-9]|0?[1-9])"
YEAR = r"(?:19[0-9]{2}|20[0-9]{2})"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT_DAY = rf"(?:{_DAY}|mon|tues?|weds?|thurs?|fri|sat|sun)"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_PROPER_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_NUMBER = r"(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)"
_SEASON = r"(?:summer|spring|fall|autumn|winter)"
_BEFORE_A_TIME = (
    r"(?:in|since|until|till|by|from|during|around|of|early|mid|late|before|after|summer|spring|fall|winter)"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
_DAY_TOO = rf"(?:the )?(?:(?i:{_SHORT_DAY})\.?,? )?(?:the )?{DAY_OF_MONTH}{_ORDINAL}"
_TO_WORD = r"(?:(?:up )?to|until|till|through|thru|and|or|[-/+&\u2010-\u2015\u2212]|bis|au|al)"
_TO = rf"(?:, ?{_DAY_TOO})*,?\s?{_TO_WORD}\s?{_DAY_TOO}"
"""The rest of a stretch, or of a list, of days, whose first day counts."""


def _rule(pattern: str, template: str, toward: Toward = Toward.OPEN, grain: Grain = Grain.AS_READ) -> Rule:
    return Rule(re.compile(rf"(?<![\w'-]){pattern}(?![\w-])", re.IGNORECASE), template, toward, grain)


def _cased(pattern: str, template: str) -> Rule:
    """Months in capitals only: "may" and "march" are other words."""
    return Rule(re.compile(rf"(?<![\w'-]){pattern}(?![\w-])"), template)


def _complete(pattern: str, template: str) -> Rule:
    return Rule(re.compile(rf"(?<![\w'./-]){pattern}(?![\w/-])", re.IGNORECASE), template, complete=True)


_PAST, _FUTURE = Toward.PAST, Toward.FUTURE

ENGLISH = (
    _complete(rf"({YEAR})[-/.](0?[1-9]|1[0-2])[-/.]({DAY_OF_MONTH})(?:T[0-9:.]+(?:Z|[+-][0-9:]+)?)?", r"\1-\2-\3"),
    _complete(rf"({_MONTH})\.? ({DAY_OF_MONTH}){_ORDINAL},? ({YEAR})", r"\1 \2, \3"),
    _complete(rf"({DAY_OF_MONTH}){_ORDINAL} (?:of )?({_MONTH})\.?,? ({YEAR})", r"\2 \1, \3"),
    _complete(rf"({DAY_OF_MONTH}){_ORDINAL}{_TO} (?:of )?({_MONTH})\.?,? ({YEAR})", r"\2 \1, \3"),
    _complete(rf"({_MONTH})\.? ({DAY_OF_MONTH}){_ORDINAL}{_TO},? ({YEAR})", r"\1 \2, \3"),
    _complete(rf"({DAY_OF_MONTH}[./]{DAY_OF_MONTH}[./]{YEAR})", r"\1"),
    _complete(rf"({_MONTH})\.?,? (?:of )?({YEAR})", r"\1 \2"),
    _complete(rf"{_BEFORE_A_TIME}[ -](?:the year |early |late |mid-?)?({YEAR})(?!s)", r"\1"),
    _rule(r"(day before yesterday)", r"\1", _PAST),
    _rule(r"(day after tomorrow)", r"\1", _FUTURE),
    _rule(r"(?<!like )(?<!like just )(yesterday|last night)", "yesterday", _PAST),
    _rule(r"(tomorrow)", "tomorrow", _FUTURE),
    _rule(r"(today|tonight|this (?:morning|afternoon|evening))", "today"),
    _rule(rf"(?:last|this past) ({_SHORT_DAY})", r"last \1", _PAST),
    _rule(rf"next ({_SHORT_DAY})", r"next \1", _FUTURE),
    _rule(rf"this (?:coming )?({_SHORT_DAY})", r"this \1", _FUTURE),
    _rule(r"(?:last|this past|past) (weekend)", "last saturday", _PAST),
    _rule(r"next (weekend)", "next saturday", _FUTURE),
    _rule(r"this (?:coming )?(weekend)", "this saturday", _FUTURE),
    _rule(r"(week|month|year) before last", r"2 \1s ago", _PAST),
    _rule(r"(?:last|past|previous) (week|month|year)", r"last \1", _PAST),
    _rule(r"next (week|month|year)", r"next \1", _FUTURE),
    _rule(r"this (week|month|year)", r"this \1"),
    _rule(rf"(?:last|this past) ({_MONTH})", r"\1", _PAST),
    _rule(rf"(?:next|this coming) ({_MONTH})", r"\1", _FUTURE),
    _rule(rf"({_NUMBER}) (day|week|month|year|decade)s? (?:ago|back)", r"\1 \2 ago", _PAST),
    _rule(r"(?:couple|pair) (?:of )?(day|week|month|year)s (?:ago|back)", r"2 \1s ago", _PAST),
    _rule(rf"({_NUMBER}) weekends (?:ago|back)", r"\1 weeks ago", _PAST),
    _rule(r"few (day|week|weekend)s (?:ago|back)", "1 week ago", _PAST, Grain.MONTH),
    _rule(r"few (months) (?:ago|back)", "3 months ago", _PAST, Grain.YEAR),
    _rule(rf"in (?:about |around )?({_NUMBER}) (day|week|month|year)s?(?:'? time)?", r"in \1 \2", _FUTURE),
    _cased(rf"({_PROPER_MONTH})\.? ({DAY_OF_MONTH}){_ORDINAL}", r"\1 \2"),
    _cased(rf"({DAY_OF_MONTH}){_ORDINAL} (?:of )?({_PROPER_MONTH})", r"\2 \1"),
    _cased(rf"({DAY_OF_MONTH}){_ORDINAL}{_TO} (?:of )?({_PROPER_MONTH})", r"\2 \1"),
    _cased(rf"({_PROPER_MONTH})\.? ({DAY_OF_MONTH}){_ORDINAL}{_TO}", r"\1 \2"),
    _rule(rf"last ({_SEASON})", "last year", _PAST, Grain.YEAR),
    _rule(rf"next ({_SEASON})", "in 9 months", _FUTURE, Grain.YEAR),
    _rule(rf"this (?:past )?({_SEASON})", "today", grain=Grain.YEAR),
    _cased(rf"(?:{_BEFORE_A_TIME}|[Ii]n|[Ss]ince|[Tt]his|end of)[ -]({_PROPER_MONTH})", r"\1"),
    _rule(rf"(?<!every )(?<!each )({_DAY})(?!,? (?:the )?(?:{_MONTH}|[0-9]))", r"\1"),
)
"""In order of preference where two start at the same place."""

ENGLISH_HINT = re.compile(
    rf"[0-9]|day|week|month|year|night|morning|afternoon|evening|tomorrow|ago|back|last|next|this|{_SEASON}"
    rf"|{_PROPER_MONTH}",
    re.IGNORECASE,
)
"""What a sentence with an English time holds at least."""
