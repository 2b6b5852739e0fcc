"""What is nothing for the record: questions, greetings, thanks, acknowledgements, requests (``behaviours.md`` 10.11).

A sentence is looked at after its opening: "Yeah, I painted that last year!" opens like an acknowledgement and goes on
to state something.
"""

# ruff: noqa: RUF001  (punctuation of many scripts)

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from gitmem.writer import lexicon
from gitmem.writer.readings import is_noun_phrase, label_length, states_own_fact


class Chatter(StrEnum):
    """Why a sentence is left out."""

    QUESTION = "question"
    GREETING = "greeting"
    THANKS = "thanks"
    ACKNOWLEDGEMENT = "acknowledgement"
    REQUEST = "request"
    LEAD_IN = "lead-in"
    FRAGMENT = "fragment"


@dataclass(frozen=True, slots=True)
class Opened:
    """A sentence after its opening: what is left, the kind of opening, and whether it asks to be remembered."""

    rest: str
    kind: Chatter | None
    reminder: bool


UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
"""A character of a script that is written without spaces, or with particles glued to words."""
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def opening(alternatives: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for alternatives at the start; words end where they end, those of unspaced scripts anywhere."""
    spaced = [part for part in alternatives if not UNSPACED.search(part)] or ["(?!)"]
    unspaced = sorted((part for part in alternatives if UNSPACED.search(part)), key=len, reverse=True) or ["(?!)"]
    return re.compile(rf"(?:(?:{'|'.join(spaced)})(?![\w'])|(?:{'|'.join(unspaced)}))", re.IGNORECASE)


_REMINDER = opening(lexicon.REMINDERS)
_KINDS = (
    (Chatter.GREETING, opening(lexicon.GREETINGS)),
    (Chatter.THANKS, opening(lexicon.THANKS)),
    (Chatter.ACKNOWLEDGEMENT, opening(lexicon.AGREEMENT)),
)
_ASKS = re.compile(r"[?？؟՞፧]\s*[^\w]*$|(?:吗|嗎|呢|ですか|ますか|でしょうか|까요?)[。.!！~\s]*$")
_CONJUNCTION = re.compile(r"(?:and|so|but|then|also|now|ok(?:ay)?)[, ]+", re.IGNORECASE)
_QUESTION = opening(lexicon.QUESTION_OPENINGS)
_REQUEST = opening(lexicon.REQUESTS)
_RESOLUTION = opening(lexicon.RESOLUTIONS)
_PLEASE = re.compile(r"[,\s](?:please|pls|plz)\W*$", re.IGNORECASE)
_ASSISTANT_TALK = opening(lexicon.ASSISTANT_TALK)
_FOR_WHAT = re.compile(r"(?:so much |a lot |a bunch |again |very much )*(?:for|about|to|that|you)\b", re.IGNORECASE)
_NEXT_CLAUSE = re.compile(r"\s[-–—]+\s|[,;—]\s?")
_SMILEYS = re.compile(rf"(?:{lexicon.SMILEY})+\s+")
_ADDRESS = re.compile(r",? ([^\W\d_]+)")
_SET_OFF = re.compile(rf"\s+(?={lexicon.SMILEY}\s)|\s*(?:[,.!:;…]+|\s[-–—]+(?=\s)|[–—])\s*")
_BLANK = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[\s\W_]+")
_ENDED = re.compile(r"[.!。！]['\"”’»」』）)\]*_~\s]*$")
_SMALL = lexicon.FUNCTION | lexicon.WARM | lexicon.COMMON
_FEWEST_WORDS = 2
_FEWEST_CHARACTERS = 4


def opened(sentence: str, names: frozenset[str]) -> Opened:
    """What a sentence says after its greeting, thanks or acknowledgement, and which of these it first opened with.

    ``names`` are the lower-case names of those who talk: addressing somebody is part of the opening.
    """
    rest, first, reminder = sentence.replace("’", "'"), None, False
    while True:
        if blank := _PUNCTUATION.match(rest):
            rest = rest[blank.end() :]
        if match := _REMINDER.match(rest):
            rest, reminder = rest[match.end() :], True
            continue
        kind, match = _kind_of(rest)
        if match is None:
            match = WORD.match(rest) if first else None
            if match is None or match.group().casefold() not in names:
                return Opened(rest, first, reminder)
        first = first or kind
        rest = rest[match.end() :]
        if kind is Chatter.THANKS and _FOR_WHAT.match(rest.lstrip()):
            rest = (*_NEXT_CLAUSE.split(rest, maxsplit=1), "")[1]


def opener_length(sentence: str, names: frozenset[str]) -> int:
    """The length of the greetings, thanks, acknowledgements and smileys that a punctuation mark sets off in front."""
    text, at, end = sentence.replace("\u2019", "'"), 0, 0
    while True:
        if smileys := _SMILEYS.match(text, at):
            at = end = smileys.end()
            continue
        _, match = _kind_of(text[at:])
        if match is None:
            return end
        at += match.end()
        address = _ADDRESS.match(text, at)
        if address and address[1].casefold() in names:
            at = address.end()
        if mark := _SET_OFF.match(text, at):
            at = end = mark.end()
        elif blank := _BLANK.match(text, at):
            at = blank.end()


def _kind_of(text: str) -> tuple[Chatter | None, re.Match[str] | None]:
    return next(((kind, match) for kind, pattern in _KINDS if (match := pattern.match(text))), (None, None))


def reason_to_leave_out(sentence: str, names: frozenset[str], *, assistant: bool = False) -> Chatter | None:
    """Why a sentence is nothing for the record; ``None`` when it states something."""
    if _ASKS.search(sentence):
        return Chatter.QUESTION
    if sentence.endswith((":", "：")):
        return Chatter.LEAD_IN
    start = opened(sentence, names)
    said = WORD.findall(start.rest)
    enough = len(said) >= _FEWEST_WORDS or len(UNSPACED.findall(start.rest)) >= _FEWEST_CHARACTERS
    if start.kind is not None and (not enough or _only_small(said)):
        return start.kind
    if not enough:
        return Chatter.FRAGMENT
    return None if start.reminder else _asked_for(sentence, start.rest, assistant=assistant)


def _asked_for(sentence: str, rest: str, *, assistant: bool) -> Chatter | None:
    """Whether a sentence asks something of somebody, or is an assistant's talk about its answer."""
    if conjunction := _CONJUNCTION.match(rest):
        rest = rest[conjunction.end() :]
    if _QUESTION.match(rest) and not _ENDED.search(sentence):
        return Chatter.QUESTION
    if _RESOLUTION.match(rest):
        return None
    if length := label_length(rest):
        return _asked_for(sentence, rest[length:], assistant=assistant)
    if (match := _REQUEST.match(rest)) and is_noun_phrase(rest, match.end()):
        return None
    if match or _PLEASE.search(sentence):
        return None if not assistant and states_own_fact(rest, asks=match is not None) else Chatter.REQUEST
    return Chatter.ACKNOWLEDGEMENT if assistant and _ASSISTANT_TALK.match(rest) else None


def _only_small(said: list[str]) -> bool:
    """Whether words hold nothing but small words and kindness: "that sounds really great"."""
    return all(word.casefold() in _SMALL for word in said)
