"""An older memory's core as the embedded writer carries it over: line by line, verbatim (``behaviours.md`` 11.2).

It was written to be shown always and is no talk, so its list items are claims, and all of them belong to the core.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.format.layout import LEGACY_CORE, TOPIC_CORE
from gitmem.ids import TopicPath
from gitmem.request import CreateRecord, Destination, SourceRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.writer.base import BatchTurn, Memory

_TITLE = "Core"
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]*\]")
_DEFINITION = re.compile(r"\[[^\]\s]*\]:")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_BLOCK_ID = re.compile(r"(?:\s\^[A-Za-z0-9-]+)+$")


def is_legacy_core(turn: BatchTurn) -> bool:
    """Whether a message is the core of an adopted folder."""
    return turn.handle.startswith(LEGACY_CORE)


def carried_over(turn: BatchTurn, memory: Memory, stands: Callable[[str], bool]) -> Iterator[CreateRecord]:
    """A claim of the core for each line that ``stands`` as a block and is not in it, under the heading it had."""
    path = TopicPath(TOPIC_CORE)
    known = {claim.content for claim in memory.of_topic(path)}
    headings: tuple[str, ...] = (_TITLE,)
    for line in map(str.strip, turn.content.split("\n")):
        if (found := _HEADING.match(line)) is not None:
            headings = (_TITLE,) if line.startswith("# ") else (_TITLE, _plain(found[1]) or _TITLE)
            continue
        text = "" if _DEFINITION.match(line) else _plain(_ITEM.sub("", line, count=1))
        if text and text not in known and stands(text):
            known.add(text)
            yield CreateRecord(text, None, (SourceRef(turn.handle, "core.md"),), Destination(path, headings))


def _plain(line: str) -> str:
    """A line without what only means something where it stood: footnotes, links, ids."""
    bare = _BLOCK_ID.sub("", _FOOTNOTE.sub("", _LINK.sub(r"\1", line)))
    return " ".join(bare.split())
