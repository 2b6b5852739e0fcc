"""Cutting prose into sentences, for any script, and which of them can stand in a topic as they are."""

# ruff: noqa: RUF001  (punctuation of many scripts)

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.writer.lexicon import SMILEY
from gitmem.writer.prose import paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSERS = "'\"”’»」』）)\\]*_~"
_END = re.compile(
    rf"[。！？｡]+[{_CLOSERS}]*|(?:[.!?؟۔।॥…።]+[{_CLOSERS}]*)(?=\s|$)|(?<=[^\W\d_])[!?]+(?=[A-Z])"
    rf"|(?<=\s){SMILEY}+(?=\s+[A-Z]|\s*$)",
)
_TRAILING = re.compile(r"\s*(?:[^\w\s\"'“”‘’«»「」『』()（）\[\]<>#@&$€£¥%+*/\\^`|~=-]|[\u200d\ufe0f])+")
"""Emoji and the like after a sentence's end belong to it."""
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“])(?:Mr|Mrs|Ms|Mx|Dr|Prof|Sr|Jr|St|Mt|Ft|vs|etc|approx|ca|cf|al|No|Nr|Fig|Inc|Ltd|Co|Corp|Ave|Blvd|Rd"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z]|[a-zA-Z](?:\.[a-zA-Z])+)\.$"
)
_NUMBERED = re.compile(r"\(?[0-9]{1,3}\.$")
_WORD = re.compile(r"[^\W_]")

_UNSAFE = re.compile(
    r"""\[\^            # footnote citation
      | \#\^            # link to a block
      | <[A-Za-z/!?]    # HTML
      | \]\((?!https?://)   # link to a file
      | \]\[            # reference link
      | !\[             # picture
      | \\$             # would escape the citation
      | (?:^|\s)\^\S*$   # block suffix
    """,
    re.VERBOSE,
)
_BLOCK_START = re.compile(r"#|>|[-+*•]\s|`{3}|~{3}|\||=+$|-+$|\d{1,9}[.)]\s|\[[^\]]*\]:|<")
LONGEST = 600
"""Characters; what runs on for longer is not a sentence that a person would put on record."""
_DIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reorder what a reader sees."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message, whitespace collapsed; ``paragraph`` and ``ordinal`` count from 0 in the message."""

    text: str
    paragraph: int
    ordinal: int


def sentences(body: str) -> Iterator[Sentence]:
    """Every sentence of a message's prose, in order."""
    ordinal = 0
    for number, paragraph in enumerate(paragraphs(body)):
        for text in split(paragraph):
            yield Sentence(text, number, ordinal)
            ordinal += 1


def split(paragraph: str) -> Iterator[str]:
    """The sentences of one paragraph of collapsed whitespace; joined with their gaps they give it back."""
    start = 0
    for match in _END.finditer(paragraph):
        end = match.end()
        if end <= start or not _ends(paragraph, start, match):
            continue
        if trailing := _TRAILING.match(paragraph, end):
            end = trailing.end()
        yield paragraph[start:end].strip()
        start = end
    if piece := paragraph[start:].strip():
        yield piece


def _ends(paragraph: str, start: int, match: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence: not after an abbreviation, an initial or a list's number."""
    mark = match.group().rstrip(_CLOSERS + "\\")
    if mark not in {".", "...", "…", ".."}:
        return True
    following = paragraph[match.end() : match.end() + 2].lstrip()
    if mark != ".":
        return not following or not following[0].islower()
    before = paragraph[max(start, match.start() - 12) : match.start() + 1]
    return not (_ABBREVIATION.search(before) or _NUMBERED.fullmatch(before.strip()))


def storable(text: str) -> bool:
    """Whether a sentence can be a block's prose as it is: no structure, no citation, no suffix (5.19)."""
    return (
        0 < len(text) <= LONGEST
        and _WORD.search(text) is not None
        and _BLOCK_START.match(text) is None
        and _UNSAFE.search(text) is None
        and not any(_unprintable(character) for character in text)
    )


def _unprintable(character: str) -> bool:
    return character in _DIRECTIONAL or unicodedata.category(character) in {"Cc", "Cs", "Cn", "Co"}
