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
from gitmem.writer import lexicon
from gitmem.writer.chatter import UNSPACED
from gitmem.writer.people import slug
from gitmem.writer.prose import paragraphs
from gitmem.writer.salience import is_specific

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gitmem.writer.base import BatchTurn, Memory

FOLDER = "topics/subjects"
GENERAL = "general"
"""The subject of what names nothing."""

Key = tuple[str, ...]
"""The stems of a subject's words."""

Stated = tuple[int, str]
"""A statement: the index of its turn, and its prose."""

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|[^\w\s]|_")
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_HAN_FUNCTION = re.compile(
    "[的了是在和与也就都而及或我你他她它们这那有不为以于之其被把从到对将会能要可一个上下中很更最并但因所如何什么吗呢吧啊]+|[はがをにでとものへやかねよ]+"
    "|通过|此外|由于|同时|目前|以及|开始|成为|进行|位于|属于|包括|根据|之后|之前"
)
_NO_SUBJECTS = frozenset(stem for word in lexicon.COMMON | lexicon.NO_SUBJECTS for stem in terms(word))
_LONGEST_PHRASE = 3
_HAN_LENGTHS = range(2, 7)
_PER_WORD, _PER_ASKING, _FOR_A_NAME = 0.4, 0.6, 0.8
_MOST_ASKED = 4
_MOST_READ = 100_000
"""Characters of a message that are searched for subjects."""
_MOST = 0.5
_RECURS = 2


@dataclass(slots=True)
class Phrases:
    """Phrases of texts by key: in how many texts each occurs, and how it is spelled."""

    texts: Counter[Key] = field(default_factory=Counter)
    spellings: defaultdict[Key, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, text: str) -> set[Key]:
        """Count the phrases of one more text, and give their keys."""
        found = list(phrases(text))
        keys = {key for key, _ in found}
        self.texts.update(keys)
        for key, spelled in found:
            self.spellings[key][spelled] += 1
        return keys

    def name(self, key: Key) -> str:
        """The spelling to name a subject by: the shortest, then the most frequent; with the capitals it mostly has."""
        spelled = self.spellings[key]
        return min(spelled, key=lambda text: (len(text), -spelled[text], text))

    def is_name(self, key: Key) -> bool:
        """Whether a phrase is mostly written with a capital."""
        spelled = self.spellings[key]
        return 2 * sum(count for text, count in spelled.items() if text != text.casefold()) > spelled.total()


def names_a_subject(word: str) -> bool:
    """Whether a case-folded word can name a subject: no unit, currency, number or word for anything at all."""
    return is_specific(word) and not word[0].isdecimal() and _NO_SUBJECTS.isdisjoint(terms(word))


def phrases(text: str) -> Iterator[tuple[Key, str]]:
    """Every candidate phrase of a text: up to three specific words in a row, or runs of a script without spaces."""
    row: list[str] = []
    for token in _TOKEN.findall(text):
        word = token.replace("\u2019", "'").removesuffix("'s")
        if names_a_subject(word.casefold()):
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
        self._asked: Counter[Key] = Counter()
        for turn in turns:
            text = "\n".join(paragraphs(turn.content[:_MOST_READ]))
            found = self._phrases.add(text)
            if turn.role != "assistant":
                self._asked.update(found)
        self._existing = {key: path for path in memory.topics(FOLDER) if (key := _key_of(path))}

    def existing_for(self, index: int, text: str) -> Iterator[TopicPath]:
        """The subject files that a statement, given as its turn's index and its prose, could be filed in."""
        keys = {key for key, _ in phrases(text)} | {key for key, _ in phrases(self._question(index))}
        return (self._existing[key] for key in sorted(keys) if key in self._existing)

    def file(self, statements: Sequence[Stated]) -> dict[Stated, Filed]:
        """A subject for each statement, given as its turn's index and its prose.

        First what a statement itself names that has a file, or recurs; then where its turn's other statements went;
        then what the message names that it answers; at last whatever it names.
        """
        own = {stated: frozenset(key for key, _ in phrases(stated[1])) for stated in statements}
        filed: dict[Stated, Filed] = {}
        self._cover({stated: self._recurring(keys) for stated, keys in own.items()}, filed)
        _follow(statements, filed)
        asked = {s: self._recurring({key for key, _ in phrases(self._question(s[0]))}) for s in own if s not in filed}
        self._cover(asked, filed)
        self._cover({s: frozenset(k for k in keys if len(k) == 1) for s, keys in own.items() if s not in filed}, filed)
        general = self._new_file(None)
        return {stated: filed.get(stated, general) for stated in statements}

    def _cover(self, wanted: Mapping[Stated, frozenset[Key]], filed: dict[Stated, Filed]) -> None:
        """File what any of the wanted phrases fits: in files that exist, else in as few new ones as it takes."""
        for stated, keys in wanted.items():
            known = [key for key in keys if key in self._existing]
            if known:
                filed[stated] = self._existing_file(max(known, key=lambda key: (_size(key), key)))
        while rest := {stated: keys for stated, keys in wanted.items() if keys and stated not in filed}:
            key = self._best(rest.values())
            covered = {stated: keys for stated, keys in rest.items() if key in keys}
            filed |= dict.fromkeys(covered, self._new_file(_fuller(key, list(covered.values()))))

    def _recurring(self, keys: Iterable[Key]) -> frozenset[Key]:
        return frozenset(key for key in keys if key in self._existing or self._is_subject(key))

    def _is_subject(self, key: Key) -> bool:
        """Whether a phrase recurs, and, where it has several words, is somebody's term and not a passing wording."""
        term = len(key) == 1 or self._asked[key] > 0 or self._phrases.is_name(key)
        return self._phrases.texts[key] >= _RECURS and term

    def _question(self, index: int) -> str:
        before = next((t for t in reversed(self._turns[:index]) if t.role != "assistant"), None)
        return "\n".join(paragraphs(before.content[:_MOST_READ])) if before else ""

    def _best(self, rest: Iterable[frozenset[Key]]) -> Key:
        """The phrase that covers most of what is left.

        Phrases that people themselves use, that are names, and that are longer make better subjects.
        """
        covers = Counter(key for keys in rest for key in keys)
        return max(covers, key=lambda key: (self._fitness(key) * covers[key], _size(key), key))

    def _fitness(self, key: Key) -> float:
        asked = min(_MOST_ASKED, self._asked[key])
        return (
            (1 + _PER_ASKING * asked)
            * (1 + _PER_WORD * (_size(key) - 1))
            * (1 + _FOR_A_NAME * self._phrases.is_name(key))
        )

    def _existing_file(self, key: Key) -> Filed:
        path = self._existing[key]
        claims = self._memory.of_topic(path)
        title = claims[0].headings[0] if claims and claims[0].headings else _title(" ".join(key))
        return Filed(path, title)

    def _new_file(self, key: Key | None) -> Filed:
        name = self._phrases.name(key) if key else GENERAL
        return Filed(TopicPath(f"{FOLDER}/{slug(name) or GENERAL}.md"), _title(name))


def _follow(statements: Sequence[Stated], filed: dict[Stated, Filed]) -> None:
    """File what is left where the statement before, else the one after, of the same turn went."""
    for order in (statements, statements[::-1]):
        last: tuple[int, Filed] | None = None
        for stated in order:
            if stated in filed:
                last = stated[0], filed[stated]
            elif last is not None and last[0] == stated[0]:
                filed[stated] = last[1]


def _size(key: Key) -> int:
    """Words of a phrase; a run of an unspaced script counts two characters as a word."""
    return max(len(key), len(key[0]) // 2 if UNSPACED.match(key[0]) else 0)


def _fuller(key: Key, covered: list[frozenset[Key]]) -> Key:
    """The longest phrase around a subject that most of its statements have: "average distance" for "average"."""
    around = Counter(longer for keys in covered for longer in keys if set(key) < set(longer))
    most = [longer for longer, count in around.items() if count > len(covered) * _MOST]
    return max(most, key=lambda longer: (len(longer), around[longer], longer), default=key)


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]


def _key_of(path: TopicPath) -> Key:
    """The key of a subject file's name."""
    name = path.removeprefix(f"{FOLDER}/").removesuffix(".md").replace("-", " ")
    if UNSPACED.match(name):
        return (name,)
    named = " ".join(word for word in name.split() if names_a_subject(word))
    return tuple(terms(named or name))
