"""Which subject a statement is filed under: names and noun phrases that recur, in stable files.

A subject is known by the stems of its words, so that "simulations" and "simulation" are one; a subject file that exists
is always preferred to a new one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.ids import TopicPath
from gitmem.terms import terms
from gitmem.writer.chatter import UNSPACED
from gitmem.writer.people import slug
from gitmem.writer.prose import paragraphs
from gitmem.writer.salience import is_specific

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gitmem.writer.base import BatchTurn, Memory

FOLDER = "topics/subjects"
GENERAL = "general"
"""The subject of what names nothing."""

Key = tuple[str, ...]
"""The stems of a subject's words."""

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|[^\w\s]|_")
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_HAN_FUNCTION = re.compile(
    "[的了是在和与也就都而及或我你他她它们这那有不为以于之其被把从到对将会能要可一个上下中很更最并但因所如何什么吗呢吧啊]+|[はがをにでとものへやかねよ]+"
)
_LONGEST_PHRASE = 3
_HAN_LENGTHS = range(2, 7)
_NEARBY = 0.5
"""The weight of a phrase in the question a statement answers, beside 1 for one of its own words."""
_PER_WORD = 0.4
_RECURS = 2


@dataclass(slots=True)
class Phrases:
    """Phrases of texts by key: in how many texts each occurs, and how it is spelled."""

    texts: Counter[Key] = field(default_factory=Counter)
    spellings: defaultdict[Key, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, text: str) -> None:
        """Count the phrases of one more text."""
        found = list(phrases(text))
        self.texts.update({key for key, _ in found})
        for key, spelled in found:
            self.spellings[key][spelled] += 1

    def name(self, key: Key) -> str:
        """The spelling to name a subject by: the shortest, then the most frequent."""
        spelled = self.spellings[key]
        return min(spelled, key=lambda text: (len(text), -spelled[text], text))


def phrases(text: str) -> Iterator[tuple[Key, str]]:
    """Every candidate phrase of a text: up to three specific words in a row, or runs of a script without spaces."""
    row: list[str] = []
    for token in _TOKEN.findall(text):
        word = token.casefold().replace("\u2019", "'").removesuffix("'s")
        if is_specific(word) and not word.isdecimal():
            row.append(word)
            for size in range(1, min(_LONGEST_PHRASE, len(row)) + 1):
                spelled = " ".join(row[-size:])
                yield tuple(terms(spelled)), spelled
        else:
            row = []
    for run in _RUN.findall(text):
        for piece in _HAN_FUNCTION.split(run):
            for size in _HAN_LENGTHS:
                for start in range(len(piece) - size + 1):
                    yield (piece[start : start + size],), piece[start : start + size]


@dataclass(frozen=True, slots=True)
class Filed:
    """Where a statement goes: path and title of a subject file."""

    path: TopicPath
    title: str


class Subjects:
    """The subjects of one batch over the subject files that exist."""

    def __init__(self, turns: Sequence[BatchTurn], memory: Memory) -> None:
        """Count the phrases of every turn's prose."""
        self._memory = memory
        self._turns = turns
        self._phrases = Phrases()
        for turn in turns:
            self._phrases.add("\n".join(paragraphs(turn.content)))
        self._existing = {key: path for path in memory.topics(FOLDER) if (key := _key_of(path))}

    def file(self, statements: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Filed]:
        """A subject for each statement, given as its turn's index and its prose."""
        wanted = {statement: self._weights(*statement) for statement in statements}
        filed: dict[tuple[int, str], Filed] = {}
        for statement, weights in wanted.items():
            known = [key for key in weights if key in self._existing]
            if known:
                filed[statement] = self._existing_file(max(known, key=lambda key: (weights[key], len(key), key)))
        while rest := {s: w for s, w in wanted.items() if s not in filed}:
            key = self._best(rest)
            covered = [s for s, w in rest.items() if key in w] if key else list(rest)
            filed |= dict.fromkeys(covered, self._new_file(key))
        return filed

    def _weights(self, index: int, text: str) -> dict[Key, float]:
        """How strongly each phrase bears on a statement: its own, and those of the message that it answers."""
        weights = dict.fromkeys((key for key, _ in phrases(self._question(index))), _NEARBY)
        return weights | dict.fromkeys((key for key, _ in phrases(text)), 1.0)

    def existing_for(self, index: int, text: str) -> Iterator[TopicPath]:
        """The subject files that a statement could be filed in."""
        return (self._existing[key] for key in self._weights(index, text) if key in self._existing)

    def _question(self, index: int) -> str:
        before = next((t for t in reversed(self._turns[:index]) if t.role != "assistant"), None)
        return "\n".join(paragraphs(before.content)) if before else ""

    def _best(self, rest: dict[tuple[int, str], dict[Key, float]]) -> Key | None:
        """The phrase that bears on most of what is left; longer and recurring ones are better subjects."""
        weight: defaultdict[Key, float] = defaultdict(float)
        for weights in rest.values():
            for key, value in weights.items():
                weight[key] += value * (1 + _PER_WORD * (_size(key) - 1))
        ranked = ((self._phrases.texts[key] >= _RECURS, value, key) for key, value in weight.items())
        return max(ranked, key=lambda one: (one[0], one[1], _size(one[2]), one[2]), default=(False, 0, None))[2]

    def _existing_file(self, key: Key) -> Filed:
        path = self._existing[key]
        claims = self._memory.of_topic(path)
        title = claims[0].headings[0] if claims and claims[0].headings else _title(" ".join(key))
        return Filed(path, title)

    def _new_file(self, key: Key | None) -> Filed:
        name = self._phrases.name(key) if key else GENERAL
        return Filed(TopicPath(f"{FOLDER}/{slug(name) or GENERAL}.md"), _title(name))


def _size(key: Key) -> int:
    """Words of a phrase; a run of an unspaced script counts two characters as a word."""
    return max(len(key), len(key[0]) // 2 if UNSPACED.match(key[0]) else 0)


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]


def _key_of(path: TopicPath) -> Key:
    """The key of a subject file's name."""
    name = path.removeprefix(f"{FOLDER}/").removesuffix(".md").replace("-", " ")
    return (name,) if UNSPACED.match(name) else tuple(terms(name))
