"""Seeded conversations of any size, as files that ``gitmem ingest`` reads (P7).

One thread holds 5 MB of text in 10,000 messages, or half of the messages where there are fewer; the others are short
threads of the owner with one of two dozen friends, or with an assistant. What they say is put together from sentences
that state something, small talk, and words that follow Zipf's law.

Usage: ``python -m benchmarks.messages FILE --count N``.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.workload import Workload
from gitmem.writer import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = 10_000
"""Messages of the long thread, at most."""
PER_THREAD = 150
"""Messages of every other thread."""
OWNER = ("owner", "Ada")
FIRST = datetime(2015, 1, 1, 8, tzinfo=UTC)
DAYS = 3650
FRIENDS = (
    *(
        "Grace",
        "Edsger",
        "Barbara",
        "Tony",
        "Frances",
        "John",
        "Radia",
        "Niklaus",
        "Adele",
        "Kristen",
        "Dana",
        "Leslie",
    ),
    *("Shafi", "Silvio", "Donald", "Robin", "Alan", "Joan", "Hal", "Mary", "Ken", "Dennis", "Margaret", "Bjarne"),
)
_BRIEF, _LONG_WINDED = (1, 6), (5, 17)
"""Sentences of a message: 160 bytes on average, and 500."""
_ASSISTED = 4
"""One thread in so many is with an assistant."""

_TALK = (
    "That sounds great!",
    "Thanks, I really appreciate it.",
    "How was your weekend?",
    "What do you think about it?",
    "Haha, exactly.",
    "Have you been there before?",
    "Wow, congrats!",
)
_STATED = (
    "I went to {place} {time} and saw the {thing}.",
    "We are thinking about a trip to {place} next month.",
    "My sister {name} works as a {job} in {place}.",
    "I bought a new {thing} for {number} euros {time}.",
    "I decided to learn the {thing} this year.",
    "{name} told me that the {thing} in {place} is closed on Mondays.",
    "I can't stand the {thing}, but I love the {other}.",
    "The deadline for the {thing} is on {day}.",
    "Our {thing} broke down {time}, so we took the {other}.",
    "I have been working as a {job} for {number} years.",
)
_PLACES = ("Basel", "Lisbon", "Kyoto", "Oslo", "Porto", "Tallinn", "Bergen", "Utrecht", "Girona", "Bilbao", "Ghent")
_TIMES = ("yesterday", "last week", "last Saturday", "two days ago", "in March", "last summer", "this morning")
_JOBS = ("nurse", "teacher", "carpenter", "pilot", "baker", "librarian", "geologist", "translator")
_DAYS = ("Friday", "12 May", "Monday", "3 October", "Thursday")


@dataclass(frozen=True)
class Conversations:
    """So many messages; equal seeds give equal files."""

    count: int
    seed: int = 1

    def lines(self) -> Iterator[str]:
        """Every message as a line of JSON, thread by thread."""
        long = min(LONG, self.count // 2)
        yield from self._thread("long", long, random.Random(self.seed), FRIENDS[0], _LONG_WINDED)
        for number, start in enumerate(range(long, self.count, PER_THREAD)):
            chooser = random.Random(f"{self.seed}:{number}")
            other = None if number % _ASSISTED == 0 else chooser.choice(FRIENDS)
            yield from self._thread(f"t{number:05d}", min(PER_THREAD, self.count - start), chooser, other, _BRIEF)

    def write(self, path: Path) -> int:
        """Write the file; gives the bytes of all bodies."""
        bodies = 0
        with path.open("w", encoding="utf-8") as file:
            for line in self.lines():
                file.write(line)
                bodies += len(json.loads(line)["content"].encode())
        return bodies

    def _thread(
        self, name: str, count: int, chooser: random.Random, other: str | None, sentences: tuple[int, int]
    ) -> Iterator[str]:
        at = FIRST + timedelta(seconds=chooser.randrange(DAYS * 86_400 - 90 * count))
        for number in range(count):
            at += timedelta(seconds=chooser.randint(20, 90))
            line = {"provider": "bench", "thread": name, "id": f"m{number:06d}", "timestamp": at.isoformat()}
            answers = number % 2 == 1
            if answers and other is None:
                line["role"] = "assistant"
            else:
                speaker = (other.casefold(), other) if answers and other is not None else OWNER
                line |= {"role": "user", "speaker_id": speaker[0], "speaker_display": speaker[1]}
            said = " ".join(self._sentence(chooser) for _ in range(chooser.randint(*sentences)))
            yield json.dumps({**line, "content": said}) + "\n"

    def _sentence(self, chooser: random.Random) -> str:
        kind = chooser.random()
        if kind < 0.3:  # noqa: PLR2004  (shares of talk, of what is stated, of any words)
            return chooser.choice(_TALK)
        if kind > 0.6:  # noqa: PLR2004  (as above)
            words = chooser.choices(self._words, cum_weights=self._weights, k=chooser.randint(6, 14))
            return f"{words[0].capitalize()} {' '.join(words[1:])}."
        return chooser.choice(_STATED).format(
            place=chooser.choice(_PLACES),
            time=chooser.choice(_TIMES),
            thing=chooser.choice(self._words[-4000:]),
            other=chooser.choice(self._words[-4000:]),
            name=chooser.choice(FRIENDS),
            job=chooser.choice(_JOBS),
            number=chooser.randint(2, 300),
            day=chooser.choice(_DAYS),
        )

    @cached_property
    def _words(self) -> list[str]:
        """Words of English, most frequent first, then made-up ones, as rare as names and terms are."""
        known = [sorted(words) for words in (lexicon.FUNCTION, lexicon.COMMON, lexicon.WARM, lexicon.NO_SUBJECTS)]
        plain = dict.fromkeys(word for words in known for word in words if word.isalpha())
        return [*plain, *Workload(0, self.seed).words[:8000]]

    @cached_property
    def _weights(self) -> list[float]:
        total, sums = 0.0, []
        for rank in range(1, len(self._words) + 1):
            total += 1 / (rank + 10)
            sums.append(total)
        return sums


def main() -> None:
    """Write a file of messages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    given = parser.parse_args()
    Conversations(given.count).write(given.file)


if __name__ == "__main__":
    main()
