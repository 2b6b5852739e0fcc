"""Cutting paragraphs out of a topic's text and putting them in, with the blank lines that keep them apart.

Texts have LF line ends. Everything outside the cut or the insertion and the blank lines around it keeps its bytes.
"""

from __future__ import annotations

import re

_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
_TRAILING_BLANKS = re.compile(r"(?:\n[ \t]*)+\Z")
_ENDS_BLANK = re.compile(r"(?:\A|\n)[ \t]*\n\Z|\A\Z")
_DEFINITION_LINE = re.compile(r" {0,3}\[\^[^\]\n]*\]:")


def cut(text: str, start: int, end: int) -> str:
    """The text without ``[start, end)``, whole lines without the last LF; one blank line keeps the neighbours apart."""
    before = text[:start]
    line_end = text.find("\n", end)
    after = "" if line_end < 0 else text[line_end + 1 :]
    blanks = _BLANK_LINES.match(after)
    rest = after[blanks.end() :] if blanks else after
    if not rest:
        kept = _TRAILING_BLANKS.sub("", before)
        return f"{kept}\n" if kept else ""
    if not _ENDS_BLANK.search(before) and not _both_definitions(before, rest):
        before += "\n"
    return before + rest


def insert(text: str, offset: int, added: str) -> str:
    """The text with ``added``, whole lines without the last LF, before the line that starts at ``offset``."""
    before, after = text[:offset], text[offset:]
    if before and not before.endswith("\n"):
        before += "\n"
    lead = "" if _ENDS_BLANK.search(before) else "\n"
    tail = "" if not after or re.match(r"[ \t]*\n", after) else "\n"
    return f"{before}{lead}{added}\n{tail}{after}"


def line_after(text: str, end: int) -> int:
    """Where the line after the one that holds ``end`` starts; the text's length when there is none."""
    line_end = text.find("\n", end)
    return len(text) if line_end < 0 else line_end + 1


def next_definition(text: str, offset: int) -> int | None:
    """Where the footnote definition starts that is the next thing after ``offset``, a line's start."""
    blanks = _BLANK_LINES.match(text, offset)
    at = blanks.end() if blanks else offset
    return at if _DEFINITION_LINE.match(text, at) else None


def with_final_newline(text: str, before: str | None) -> str:
    """The text with exactly one LF at its end, unless it ended in the same blank lines before."""
    stripped = text.rstrip("\n")
    if not stripped:
        return ""
    tail = text[len(stripped) :]
    if tail and before is not None and before.endswith(tail) and before.rstrip("\n") == before[: -len(tail)]:
        return text
    return f"{stripped}\n"


def _both_definitions(before: str, after: str) -> bool:
    last = before[before.rfind("\n", 0, len(before) - 1) + 1 :]
    return bool(_DEFINITION_LINE.match(last) and _DEFINITION_LINE.match(after))
