"""The prose of a message: what is left of a body without code, lists, tables, quotes, headings and markup lines.

A line reader rather than a Markdown parser: messages are chat text that only sometimes is Markdown, and a reader of
any input must be linear and never fail.
"""

# ruff: noqa: RUF001  (punctuation of many scripts)

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦–—]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z]\))\s")
_MARKUP = re.compile(
    r"""\s*(?:
        \#{1,6}(?:\s|$)                 # heading
      | >                               # quotation
      | \|                              # table row
      | </?[A-Za-z!?]                   # HTML
      | (?:=+|-{2,}|_{3,}|\*{3,})\s*$   # underline, rule
      | \[[^\]]*\]:                     # link or footnote definition
      | !\[                             # picture
      | \[[a-z][a-z ]{2,20}(?::\s[^\[\]]*)?\]\s*$   # what an export leaves of a picture or a file
    )""",
    re.VERBOSE,
)
_COMMAND = re.compile(
    r"""\s*(?:
        (?:\$|%|>>>|\#|C:\\>)\s                              # a shell's or interpreter's prompt
      | [/!][A-Za-z][\w-]*(?:\s|$)                           # an order to a bot
      | (?:git|npm|npx|pip3?|sudo|docker|curl|apt(?:-get)?|brew|cargo|kubectl)\s+[a-z-]+(?:\s[^.!?]*)?$
      | (?:import|from)\s+[\w.]+(?:\s+import\b.*)?;?$
      | (?:async\s+)?(?:def|class|function|fn|func)\s+\w+\s*[(:{<]
      | (?:const|let|var|val|int|float|string|auto)\s+\w+\s*=
      | (?:public|private|static|return|elif|else|except|catch|finally)\b.*[;:{}]$
      | [\w.]+\(.*\)\s*[;{]?$                                # a call
      | [{}\[\]();,]+$                                       # brackets alone
      | .*[;{}]$                                             # a statement
    )""",
    re.VERBOSE,
)
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_MATH = {r"\[": r"\]", "$$": "$$"}
_ENDED = re.compile(r"[.!?…。！？｡؟۔।॥:：;；]['\"”’»」』）)\]*_~\s]*$")
_WRAPPED = 50
"""A line at least this long may have been broken by its writer's editor and go on in the next."""
_LONG = 20_000
"""No line of code, list or markup is recognized by looking further than this into it."""


@dataclass(slots=True)
class _Reader:
    """Where the reader stands: inside a fence or formula, inside a list, after a blank line."""

    closing: str | None = None
    in_list: bool = False
    after_blank: bool = True

    def keeps(self, line: str) -> bool:
        """Whether the next line is prose."""
        stripped = line.strip()
        if self.closing is not None:
            if _closes(stripped, self.closing):
                self.closing = None
            return False
        self.closing = _opened(stripped)
        if self.closing is not None or not stripped:
            self.in_list = self.in_list and not stripped
            self.after_blank = True
            return False
        code = self.after_blank and _INDENTED.match(line) is not None
        self.in_list = _ITEM.match(line) is not None or (self.in_list and line[0].isspace())
        self.after_blank = code
        row = "|" in line[:_LONG].strip(" |") and line.count("|") > 1
        return not (code or self.in_list or row or _MARKUP.match(line) or _COMMAND.match(stripped[:_LONG]))


def paragraphs(body: str) -> Iterator[str]:
    """Stretches of prose in order, each on one line; a chat's lines stay apart, wrapped lines are joined."""
    reader = _Reader()
    held = ""
    for line in body.splitlines():
        kept = " ".join(line.split()) if reader.keeps(line) else ""
        if kept and held and _goes_on(held, kept):
            held = f"{held} {kept}"
            continue
        if held:
            yield held
        held = kept
    if held:
        yield held


def _goes_on(held: str, line: str) -> bool:
    """Whether a line continues the one before: that one was long and open, and this one does not start anew."""
    return len(held) >= _WRAPPED and not _ENDED.search(held[-20:]) and line[0].islower()


def _opened(stripped: str) -> str | None:
    """What ends the fence or formula that a line opens and does not itself end."""
    if fence := _FENCE.match(stripped):
        return fence["mark"]
    for opening, ending in _MATH.items():
        if stripped.startswith(opening) and ending not in stripped[len(opening) :]:
            return ending
    return None


def _closes(stripped: str, closing: str) -> bool:
    if closing[0] in "`~":
        return stripped.startswith(closing) and not stripped.strip(closing[0])
    return stripped.endswith(closing)
