"""Making a text harmless for one line: headers, subjects and excerpts quote what others wrote."""

from __future__ import annotations

import re

EXCERPT_CHARS = 72
"""How long a quoted line is where nothing else is said."""

SURROGATE = re.compile("[\ud800-\udfff]")
"""A half of a pair, which JSON can spell and UTF-8 cannot: a text with one is not Unicode."""

# Spelled out rather than asked of ``unicodedata``, whose answer changes with the interpreter: the same turn must have
# the same bytes everywhere. Control characters, and the format characters that reorder or hide text.
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANKS = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def one_line(text: str) -> str:
    """Make a text harmless on one line: runs of whitespace become one blank, control and hidden characters go."""
    return _BLANKS.sub(" ", _CONTROLS.sub("", _BLANKS.sub(" ", text))).strip(" ")


def excerpt(text: str, limit: int = EXCERPT_CHARS) -> str:
    """Shorten a text to one harmless line of at most ``limit`` characters, whole words where it has any."""
    line = one_line(text)
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    words = cut.rpartition(" ")[0] if line[limit - 1] != " " else cut
    return (words if len(words) > limit // 2 else cut).rstrip(" ") + "…"
