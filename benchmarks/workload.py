"""Seeded memories of any size, written as git objects in a handful of commits (``performance.md``).

Twenty blocks a topic file in nested folders, each block citing one of as many archived messages, fifty messages a
thread, event dates spread over ten years, and one block in twenty linked to another. Words follow Zipf's law, so that
some stand in most texts and most in hardly any. Usage: ``python benchmarks/workload.py DIR --blocks 10000``.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import posixpath
import random
import subprocess
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

from gitmem.format.evidence import evidence_id
from gitmem.format.frame import HEADER, render_frame
from gitmem.format.layout import anchor, archive_path
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.format.workspace_file import GITATTRIBUTES_TEXT
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCKS_PER_FILE = 20
RECORDS_PER_THREAD = 50
FILES_PER_FOLDER = 25
FOLDERS_PER_AREA = 10
LINKED = 0.05
VOCABULARY = 30_000
FIRST_DAY = date(2015, 1, 1)
DAYS = 3652
COMMITS = 4
RARE_RANK = 400
"""Words from this rank on stand in fewer than one text in a hundred."""

_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u", "ai", "or", "en")]
_SPEAKERS = (("7391", "Ada"), ("7392", "Grace"), ("7393", "Edsger"), ("7394", "Barbara"))
_SETTINGS = "[gitmem]\n\tformatVersion = 1\n\tid = w-00000001\n"


@dataclass(frozen=True)
class Workload:
    """A memory of so many blocks; equal seeds give equal bytes."""

    blocks: int
    seed: int = 1

    @cached_property
    def words(self) -> list[str]:
        """The vocabulary, the most frequent word first."""
        chooser = random.Random(self.seed)
        found: dict[str, None] = {}
        while len(found) < VOCABULARY:
            found["".join(chooser.choices(_SYLLABLES, k=chooser.choice((2, 2, 3))))] = None
        return list(found)

    @cached_property
    def _weights(self) -> list[float]:
        return list(itertools.accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))

    def sentence(self, chooser: random.Random, low: int = 12, high: int = 32) -> str:
        """A sentence of words as frequent as they are in the whole memory."""
        words = chooser.choices(self.words, cum_weights=self._weights, k=chooser.randint(low, high))
        return f"{words[0].capitalize()} {' '.join(words[1:])}."

    def day(self, number: int) -> date:
        """The event day of a block and of the message it cites."""
        return FIRST_DAY + timedelta(days=self._mixed(number) % DAYS)

    def _mixed(self, number: int) -> int:
        return int.from_bytes(hashlib.blake2b(f"{self.seed}:{number}".encode(), digest_size=6).digest())

    # --- messages

    def handle(self, number: int) -> SourceId:
        """The handle of a message."""
        return SourceId(f"bench/thread-{number // RECORDS_PER_THREAD:05d}/m{number:06d}")

    def _archive_path(self, number: int) -> str:
        return archive_path("bench", f"thread-{number // RECORDS_PER_THREAD:05d}")

    def archives(self) -> Iterator[tuple[str, bytes]]:
        """Every archive: path and bytes."""
        for first in range(0, self.blocks, RECORDS_PER_THREAD):
            numbers = range(first, min(first + RECORDS_PER_THREAD, self.blocks))
            yield self._archive_path(first), HEADER + b"".join(self.frame(number) for number in numbers)

    def frame(self, number: int) -> bytes:
        """One message's frame."""
        chooser = random.Random(self._mixed(number) + 1)
        speaker_id, display = _SPEAKERS[number % len(_SPEAKERS)]
        return render_frame(
            handle=self.handle(number),
            timestamp=f"{self.day(number)}T10:00:00+00:00",
            role="user",
            body=self.sentence(chooser),
            speaker_id=speaker_id,
            speaker_display=display,
            metadata=TrustMetadata(TrustState.TRUSTED, "human", "owner", Tier.OWNER),
        )

    # --- topics

    def topic_path(self, number: int) -> str:
        """The topic file of a block."""
        file = number // BLOCKS_PER_FILE
        folder = file // FILES_PER_FOLDER
        return f"topics/area-{folder // FOLDERS_PER_AREA:03d}/part-{folder:04d}/topic-{file:05d}.md"

    def block_id(self, number: int) -> str:
        """A block's id."""
        return hashlib.sha256(f"block:{self.seed}:{number}".encode()).hexdigest()[:8]

    def topics(self) -> Iterator[tuple[str, bytes]]:
        """Every topic file: path and bytes."""
        for first in range(0, self.blocks, BLOCKS_PER_FILE):
            yield self.topic_path(first), self._topic(first)

    def _topic(self, first: int) -> bytes:
        numbers = range(first, min(first + BLOCKS_PER_FILE, self.blocks))
        path = self.topic_path(first)
        chooser = random.Random(self._mixed(first) + 2)
        lines = [f"# {self.words[self._mixed(first) % VOCABULARY].capitalize()}", ""]
        for number in numbers:
            if number % 5 == 0:
                lines += [f"## {chooser.choice(self.words).capitalize()}", ""]
            lines += [self._paragraph(number, path, chooser), ""]
        lines += [self._definition(number, path) for number in numbers]
        return "\n".join([*lines, ""]).encode()

    def _evidence(self, number: int) -> str:
        return evidence_id(self.day(number).isoformat(), (self.handle(number),))

    def _paragraph(self, number: int, path: str, chooser: random.Random) -> str:
        prose = self.sentence(chooser)
        if chooser.random() < LINKED:
            other = chooser.randrange(self.blocks)
            target = posixpath.relpath(self.topic_path(other), posixpath.dirname(path))
            prose += f" See [{chooser.choice(self.words)}]({target}#^{self.block_id(other)})."
        return f"{prose}[^{self._evidence(number)}] ^{self.block_id(number)}"

    def _definition(self, number: int, path: str) -> str:
        handle = self.handle(number)
        target = posixpath.relpath(self._archive_path(number), posixpath.dirname(path))
        link = f"[message {number}]({target}#{anchor(handle)})"
        return f"[^{self._evidence(number)}]: Time: `{self.day(number)}`; Sources: {link}"

    # --- everything

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Every file that is not derived."""
        yield ".gitmem", _SETTINGS.encode()
        yield ".gitattributes", GITATTRIBUTES_TEXT.encode()
        yield from self.archives()
        yield from self.topics()

    def queries(self, count: int, *, common: bool) -> list[str]:
        """Queries of 3 to 8 words: all of them rare, or one or two of them common."""
        chooser = random.Random(self.seed + 3 + common)
        found = []
        for _ in range(count):
            words = chooser.choices(self.words[RARE_RANK : 10 * RARE_RANK], k=chooser.randint(3, 8))
            if common:
                words[: chooser.randint(1, 2)] = chooser.choices(self.words[:50], k=chooser.randint(1, 2))
            found.append(" ".join(words))
        return found


def write(workload: Workload, folder: Path, *, bare: bool = True, checkout: bool = False) -> None:
    """Make a repository of the workload: branch ``main``, a few commits, everything in one pack."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", "-b", "main", *(["--bare"] if bare else []), str(folder)], check=True)
    command = ["git", "-C", str(folder), "fast-import", "--quiet", "--done"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        if process.stdin is None:
            raise RuntimeError(command)
        _import(workload, process.stdin)
        process.stdin.close()
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, command)
    if checkout and not bare:
        subprocess.run(["git", "-C", str(folder), "reset", "-q", "--hard"], check=True)


def _import(workload: Workload, stream: IO[bytes]) -> None:
    files = list(workload.files())
    share = -(-len(files) // COMMITS)
    started = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())
    for number in range(COMMITS):
        stream.write(b"commit refs/heads/main\ncommitter gitmem <gitmem@localhost> %d +0000\n" % (started + number))
        stream.write(b"data 8\nmemory: \n")
        for path, data in files[number * share : (number + 1) * share]:
            stream.write(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data))
        stream.write(b"\n")
    stream.write(b"done\n")


def main() -> None:
    """Write a workload into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--blocks", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkout", action="store_true", help="a repository with a working directory")
    given = parser.parse_args()
    write(Workload(given.blocks, given.seed), given.folder, bare=not given.checkout, checkout=given.checkout)


if __name__ == "__main__":
    main()
