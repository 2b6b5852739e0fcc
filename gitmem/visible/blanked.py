"""A topic's text with blanks in the place of what a reader may not see; lines and offsets stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from gitmem.format.model import Archive, Block, Definition, Heading, Record, Topic

_SIGN = re.compile(r"[^\n]")
_BYTE = re.compile(rb"[^\n]")


def blanked_topic(topic: Topic, shown: Collection[Block]) -> str:
    """The blocks, the headings above them and the definitions that they cite; anything else is blank."""
    if not shown:
        return _SIGN.sub(" ", topic.text)
    cited = {citation.id for block in shown for citation in block.citations}
    spans = [(block.start, block.end) for block in shown]
    spans += [(one.start, one.end) for one in _first(topic.definitions) if one.id in cited]
    spans += [(heading.start, heading.end) for block in shown for heading in _above(topic, block)]
    return _kept(topic.text, sorted(set(spans)))


def _first(definitions: Iterable[Definition]) -> Iterable[Definition]:
    """Of several definitions of one id only the first counts; the others may cite anything."""
    found: dict[str, Definition] = {}
    for one in definitions:
        found.setdefault(one.id, one)
    return found.values()


def _kept(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts += [_SIGN.sub(" ", text[at : max(at, start)]), text[max(at, start) : end]]
        at = max(at, end)
    return "".join((*parts, _SIGN.sub(" ", text[at:])))


def _above(topic: Topic, block: Block) -> Iterator[Heading]:
    """The headings on the way to a block."""
    path: list[Heading] = []
    for heading in topic.headings:
        if heading.start > block.start:
            break
        path = [*(one for one in path if one.level < heading.level), heading]
    yield from path


def blanked_archive(data: bytes, archive: Archive, shown: Iterable[Record]) -> bytes:
    """The frames of the messages, and the line that says what the file is; anything else is blank."""
    first = min((record.start for record in archive.records), default=len(data))
    spans = [(0, first), *((record.start, record.end) for record in shown)]
    parts, at = [], 0
    for start, end in spans:
        parts += [_BYTE.sub(b" ", data[at:start]), data[start:end]]
        at = end
    return b"".join((*parts, _BYTE.sub(b" ", data[at:])))
