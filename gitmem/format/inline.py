"""What inside a paragraph is markup and what is only text that looks like it: code spans, escapes, links."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILLER = "\0"
_OPAQUE_START = re.compile(r"[\\`]|<!--")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TICKS = re.compile(r"`+")
_BRACKET = re.compile(r"[\[\]]")
_DESTINATION = re.compile(
    r"\([ \t\r\n]*+(?:<(?P<angled>[^<>\n]*+)>|(?P<bare>[^ \t\r\n\f()<>]*+(?:\([^ \t\r\n\f()]*+\)[^ \t\r\n\f()]*+)*+))"
    r"(?:[ \t\r\n]++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?[ \t\r\n]*+\)"
)


@dataclass(frozen=True, slots=True)
class InlineLink:
    """``[text](destination)``; ``start`` and ``end`` are the offsets of the destination as written."""

    text: str
    destination: str
    start: int
    end: int


def mask(text: str) -> str:
    """The text with code spans, escaped characters and HTML comments blotted out, every offset kept."""
    if "`" not in text and "\\" not in text and "<!--" not in text:
        return text
    pieces: list[str] = []
    position = 0
    for start, end in _opaque(text):
        pieces += (text[position:start], _FILLER * (end - start))
        position = end
    return "".join([*pieces, text[position:]])


def inline_links(text: str, plain: str) -> Iterator[InlineLink]:
    """The inline links of ``text``, of which ``plain`` is the mask, in order; images are not links."""
    openers: list[int] = []
    position = 0
    while bracket := _BRACKET.search(plain, position):
        position = bracket.end()
        if bracket.group() == "[":
            openers.append(bracket.start())
            continue
        opener = openers.pop() if openers else None
        target = _DESTINATION.match(plain, position)
        if opener is None or target is None:
            continue
        position = target.end()
        if not plain.startswith("!", max(opener - 1, 0)):
            start, end = target.span("bare" if target["angled"] is None else "angled")
            yield InlineLink(text[opener + 1 : bracket.start()], _ESCAPE.sub(r"\1", text[start:end]), start, end)


def _opaque(text: str) -> Iterator[tuple[int, int]]:
    runs: dict[int, list[int]] = {}
    for run in _TICKS.finditer(text):
        runs.setdefault(len(run.group()), []).append(run.start())
    last_comment = text.rfind("-->")
    position = 0
    while found := _OPAQUE_START.search(text, position):
        start = found.start()
        position = found.end()
        if found.group() == "\\":
            end = start + 2 if _ESCAPE.match(text, start) else None
        elif found.group() == "<!--":
            end = text.find("-->", position) + 3 if last_comment >= position else None
        else:
            run_end = position = _end_of_run(text, start)
            end = _closing(runs.get(run_end - start, []), run_end, run_end - start)
        if end is not None:
            yield start, end
            position = end


def _end_of_run(text: str, start: int) -> int:
    run = _TICKS.match(text, start)
    return run.end() if run else start


def _closing(starts: list[int], after: int, length: int) -> int | None:
    index = bisect_left(starts, after)
    return starts[index] + length if index < len(starts) else None
