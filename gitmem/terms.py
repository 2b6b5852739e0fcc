"""Cutting text into the terms that search compares, in every script (``performance.md``, retrieval quality).

Text is NFKC-normalized and case-folded. A word is letters, marks and digits, with apostrophes inside it, stemmed by
the Snowball stemmer of its script: English for Latin, Russian for Cyrillic, and so on. Scripts written without spaces,
and Hangul, whose particles are glued to their words, are cut into overlapping pairs of characters. Single characters
are indexed beside the pairs, so that a query of one character finds its text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import Stemmer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_STEMMED_SCRIPTS = (
    (0x0250, "english"),  # Latin
    (0x0400, "greek"),
    (0x0530, "russian"),  # Cyrillic
    (0x0590, "armenian"),
    (0x0600, ""),
    (0x0780, "arabic"),
    (0x0900, ""),
    (0x0980, "hindi"),  # Devanagari
    (0x0B80, ""),
    (0x0C00, "tamil"),
)
"""First code point after a range of letters, and the stemmer of that range; nothing above is stemmed."""

_MOST_STEMS = 200_000
"""Distinct words whose stems are kept; the vocabulary of a memory is far smaller."""

_PAIRED_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),  # Han iteration mark and zero
    (0x3021, 0x3029),  # Han numerals
    (0x3038, 0x31FF),  # Hiragana, Katakana, Bopomofo, Hangul
    (0x3400, 0x9FFF),  # Han
    (0xA960, 0xA97F),  # Hangul
    (0xA9E0, 0xA9FF),  # Myanmar
    (0xAA60, 0xAA7F),  # Myanmar
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),  # Han
    (0x1AFF0, 0x1B16F),  # Kana
    (0x20000, 0x3FFFF),  # Han
)
"""Code points whose letters and digits are paired; by first letter, most texts meet none."""

_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_NEEDS_KINDS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0590-\u1dff\u20d0-\u20ff\u2c00-\U0001efff\U0001fb00-\U0010ffff]"
)
"""Where a text may hold marks or paired scripts, which the plain word pattern does not know."""

_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]+"
)
_PIECE = re.compile(r"(?P<paired>(?:pm*)+)|w[wm]*(?:'[wm]+)*")
_CHARACTER = re.compile(r"pm*")

_STOP_WORDS = """
    a about after all also am an and any are as at be because been before being between both but by can could did do
    does doing during each few for from had has have having he her here hers him his how i if in into is it its just
    me more most my no nor not of off on once only or other our out over own same she should so some such than that
    the their them then there these they this those through to too under until up very was we were what when where
    which while who whom whose why will with would you your
    i'm i've i'd i'll you're it's that's don't didn't doesn't isn't wasn't can't what's
"""


def terms(text: str) -> list[str]:
    """The terms of a text in order of appearance, each as often as it occurs; what an index holds.

    Two spellings that differ in Unicode normalization, case, or invisible characters give the same terms.
    """
    return list(_terms(text, _singles_and_pairs))


def query_terms(text: str) -> list[str]:
    """The terms by which a query is answered: those of ``terms`` that tell texts apart.

    English function words are left out where anything else remains, and single characters where a pair holds them.
    """
    found = list(_terms(text, _pairs))
    return [term for term in found if term not in _stop_terms()] or found


def _terms(text: str, cut: Callable[[list[str]], Iterator[str]]) -> Iterator[str]:
    folded = text.lower() if text.isascii() else _folded(text)
    if folded.isascii():
        yield from map(_stems.__getitem__, _ASCII_WORD.findall(folded))
        return
    if not _NEEDS_KINDS.search(folded):
        yield from map(_stems.__getitem__, _WORD.findall(folded))
        return
    kinds = folded.translate(_KINDS)
    for piece in _PIECE.finditer(kinds):
        start, end = piece.span()
        if piece["paired"]:
            yield from cut([folded[slice(*m.span())] for m in _CHARACTER.finditer(kinds, start, end)])
        else:
            yield _stems[folded[start:end]]


def _folded(text: str) -> str:
    """Unicode's caseless compatibility form, with one kind of apostrophe and nothing invisible."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold()).replace("\u2019", "'")


class _Kinds(dict[int, str]):
    """Code point to its part in a term: ``w`` of a word, ``p`` of a paired run, ``m`` a mark, ``'``, or a space."""

    def __missing__(self, point: int) -> str:
        self[point] = kind = self._kind(point)
        return kind

    @staticmethod
    def _kind(point: int) -> str:
        if point == ord("'"):
            return "'"
        category = unicodedata.category(chr(point))
        if category[0] == "M":
            return "m"
        if category[0] not in "LN":
            return " "
        return "p" if any(low <= point <= high for low, high in _PAIRED_RANGES) else "w"


_KINDS = _Kinds()


def _singles_and_pairs(characters: list[str]) -> Iterator[str]:
    yield from characters
    if len(characters) > 1:
        yield from _pairs(characters)


def _pairs(characters: list[str]) -> Iterator[str]:
    if len(characters) == 1:
        yield from characters
    yield from map("".join, pairwise(characters))


class _Stems(dict[str, str]):
    """Word to stem, computed when first asked for."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        stem = self[word] = _stem(word)
        return stem


_stems = _Stems()


def _stem(word: str) -> str:
    first = ord(word[0])
    for end, algorithm in _STEMMED_SCRIPTS:
        if first < end:
            return _stemmer(algorithm)(word) if algorithm else word
    return word


@cache
def _stemmer(algorithm: str) -> Callable[[str], str]:
    stem: Callable[[str], str] = Stemmer.Stemmer(algorithm, 0).stemWord  # 0: its own cache is slower than ours
    return stem


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(map(_stem, _STOP_WORDS.split()))
