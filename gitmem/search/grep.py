"""Exact lines of topics and archived messages, without the comments that frame these (``behaviours.md`` 16.11)."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import regex

from gitmem.errors import Code, InvalidRequest
from gitmem.format.layout import SOURCES, TOPICS, is_legacy_archive, is_topic, is_v2_archive
from gitmem.search.hits import BLOCK, SOURCE
from gitmem.search.messages import LF, header_start
from gitmem.search.paths import below, path_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Block, Topic
    from gitmem.memory import Memory

MOST_LINES = 500
"""Lines that one answer gives (15.2)."""

SECONDS = 5.0
"""How long an expression may take over the whole memory (17.15)."""

TOPIC = "topic"
MOST_CHARACTERS = 1000
"""How long an expression may be."""

MOST_REPEATS = 100_000
"""What the counts in braces may come to, multiplied: ``regex`` writes repeats out, before any time-out."""

_COUNTS = re.compile(r"\{ *([0-9]*) *,? *([0-9]*) *\}")


@dataclass(frozen=True, slots=True)
class GrepQuery:
    """What is looked for: a text, or an expression of the ``regex`` module, in one line.

    ``path`` is the start of a path, as in a search.
    """

    text: str
    path: str | None = None
    ignore_case: bool = False
    is_regex: bool = False
    limit: int = MOST_LINES
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it stands in its file, without line end; ``line`` counts the file's own lines from 1.

    ``kind`` is ``block`` or ``source``, with the block's id or the message's handle; other lines of a topic
    (headings, footnotes) have kind ``topic`` and no id.
    """

    id: str | None
    kind: str
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class GrepAnswer:
    """Lines by path and place. ``truncated``: there are more than are given."""

    revision: str | None
    fresh: bool
    truncated: bool
    results: tuple[Line, ...]


def grep(memory: Memory, query: GrepQuery) -> GrepAnswer:
    """Find the lines.

    Raises ``InvalidRequest`` for a text that no line can hold, an expression that is none, and one that takes longer
    than it may.
    """
    found: list[Line] = []
    for line in _matching(memory, query.path, line_test(query)):
        if memory.narrowing is not None and not line.text.strip():
            continue  # what is hidden is blank
        if len(found) == query.limit:
            return GrepAnswer(memory.revision, memory.fresh, truncated=True, results=tuple(found))
        found.append(line)
    return GrepAnswer(memory.revision, memory.fresh, truncated=False, results=tuple(found))


# --- what matches


class LineTest(Protocol):
    """What a line must hold."""

    def line(self, line: str) -> bool:
        """Whether a line is one."""
        ...

    def file(self, text: str) -> bool:
        """Whether a file can hold such a line at all."""
        ...


@dataclass(frozen=True, slots=True)
class _Literal:
    text: str
    ignore_case: bool

    def line(self, line: str) -> bool:
        return self.text in (line.casefold() if self.ignore_case else line)

    file = line


@dataclass(frozen=True, slots=True)
class _Expression:
    pattern: regex.Pattern[str]
    seconds: float
    until: float

    def line(self, line: str) -> bool:
        left = self.until - time.monotonic()
        try:
            if left > 0:
                return self.pattern.search(line, timeout=left) is not None
        except TimeoutError:
            pass  # as when nothing was left
        message = f"the expression takes longer than {self.seconds:g} seconds; write it without nested repeats"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message, details={"seconds": self.seconds})

    def file(self, _text: str) -> bool:
        return True


def line_test(query: GrepQuery) -> LineTest:
    """Whether a line matches, bounded in time over all lines together. Raises ``InvalidRequest`` as ``grep`` does."""
    if not query.text or "\n" in query.text:
        message = "say what to look for in a line; a line holds no line end"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if not query.is_regex:
        return _Literal(query.text.casefold() if query.ignore_case else query.text, query.ignore_case)
    if len(query.text) > MOST_CHARACTERS or _repeats(query.text) > MOST_REPEATS:
        message = f"the expression is too large: {MOST_CHARACTERS} characters, repeated {MOST_REPEATS:,} times at most"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    try:
        pattern = regex.compile(query.text, regex.VERSION1 | (regex.IGNORECASE if query.ignore_case else 0))
    except regex.error as error:
        message = f"{query.text!r} is no regular expression: {error}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message) from error
    return _Expression(pattern, query.seconds, time.monotonic() + query.seconds)


def _repeats(expression: str) -> int:
    return math.prod(max(1, *(int(count or 1) for count in found.groups())) for found in _COUNTS.finditer(expression))


# --- where


def _matching(memory: Memory, path: str | None, test: LineTest) -> Iterator[Line]:
    prefix = "" if path is None else path_prefix(path)
    for part in (TOPICS, SOURCES):
        for entry in memory.snapshot.entries(part):
            if not below(entry.path, prefix):
                continue
            if is_topic(entry.path):
                yield from _in_topic(memory, entry.path, test)
            elif is_v2_archive(entry.path) or is_legacy_archive(entry.path):
                yield from _in_archive(memory, entry.path, test)


def _in_topic(memory: Memory, path: str, test: LineTest) -> Iterator[Line]:
    text = (memory.snapshot.read(path) or b"").decode("utf-8", "replace")
    if not test.file(text):
        return
    topic: Topic | None = None
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        if test.line(line):
            topic = topic or memory.snapshot.topic(path)
            block = None if topic is None else _block_at(topic, start, start + len(line))
            yield Line(block.id if block else None, BLOCK if block else TOPIC, path, number, line)
        start += len(line) + 1


def _block_at(topic: Topic, start: int, end: int) -> Block | None:
    return next((block for block in topic.blocks if block.start < end and start < block.end), None)


def _in_archive(memory: Memory, path: str, test: LineTest) -> Iterator[Line]:
    data = memory.snapshot.read(path) or b""
    archive = memory.snapshot.archive(path) if test.file(data.decode("utf-8", "replace")) else None
    for record in archive.records if archive is not None else ():
        end = data.find(LF, record.body_end)
        text = data[header_start(data, record) : end if end >= 0 else len(data)].decode("utf-8", "replace")
        for number, line in enumerate(text.split("\n"), record.line):
            if test.line(line):
                yield Line(record.handle, SOURCE, path, number, line)
