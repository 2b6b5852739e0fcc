"""One paragraph of a topic: its citations, its ids and what is left as prose (``formats.md``, "Topic files").

A topic's blocks are read from here, and so is a paragraph that is not a block yet because it has no id.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple, cast

from gitmem.format.inline import inline_links, mask
from gitmem.format.links import resolve_block_link
from gitmem.format.model import Block, BlockLink, Citation
from gitmem.ids import BLOCK_ID, BlockId, EvidenceId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BLANKS = " \t\r\n"
"""What is stripped from prose; other white space (U+3000, U+2028, form feed) is content."""

_CITATION = re.compile(r"\[\^([^\\\[\]\s\0]+)\]")
_IDS = re.compile(r"(?<![ \t\r\n])(?:[ \t\r\n]++\^[^\s\[\]^]*+)++")
_ID = re.compile(r"\^(\S*)")


class Paragraph(NamedTuple):
    """What a paragraph says; offsets are those of the text it stands in.

    ``ids`` are the well-formed ids of the suffix, ``bad_ids`` the malformed ones (without caret), both in file order.
    ``suffix`` is where the suffix begins, blanks included (``end`` when there is none). ``trailing`` is text between
    the last citation and the suffix, which a block must not have. ``content`` is the prose without citations and
    suffix, its ends stripped.
    """

    start: int
    end: int
    content: str
    citations: tuple[Citation, ...]
    links: tuple[BlockLink, ...]
    ids: tuple[BlockId, ...]
    bad_ids: tuple[str, ...]
    suffix: int
    trailing: str


def read_paragraph(topic_path: str, text: str, start: int, end: int) -> Paragraph:
    """Read ``text[start:end]`` as one paragraph; code spans and escaped characters are never markup."""
    raw = text[start:end]
    plain = mask(raw)
    stop = len(raw.rstrip(BLANKS))
    suffix = _suffix(plain, stop)
    names = [raw[slice(*name.span(1))] for name in _ID.finditer(plain, suffix, stop)]
    good = [name for name in names if BLOCK_ID.fullmatch(name)]
    matches = list(_CITATION.finditer(plain, 0, suffix))
    citations = tuple(_citations(raw, matches, start))
    last = matches[-1].end() if matches else suffix
    return Paragraph(
        start=start,
        end=end,
        content=prose(text, citations, start, start + suffix),
        citations=citations,
        links=_block_links(topic_path, raw, plain, start) if "](" in plain else (),
        ids=cast("tuple[BlockId, ...]", tuple(good)),
        bad_ids=() if len(good) == len(names) else tuple(name for name in names if name not in good),
        suffix=start + suffix,
        trailing=raw[last:suffix].strip(BLANKS),
    )


def is_legacy(citation: Citation) -> bool:
    """Whether the citation is itself the id of a unit, ``[^mem_...]`` (``behaviours.md`` 1.6)."""
    return citation.id.startswith("mem_")


def legacy_units(text: str, paragraph: Paragraph, line: int, headings: tuple[str, ...]) -> Iterator[Block]:
    """The units of a paragraph without block ids that stands in ``line``: each ends at its own legacy citation."""
    start, pending = paragraph.start, list[Citation]()
    link_starts = [link.start for link in paragraph.links]
    for citation in paragraph.citations:
        pending.append(citation)
        if not is_legacy(citation):
            continue
        first = skip_blanks(text, start, citation.start)
        line += text.count("\n", start, first)
        links = paragraph.links[bisect_left(link_starts, first) : bisect_left(link_starts, citation.end)]
        yield Block(
            id=BlockId(citation.id),
            aliases=(),
            legacy=True,
            line=line,
            start=first,
            end=citation.end,
            headings=headings,
            content=prose(text, pending, first, citation.end),
            citations=tuple(pending),
            links=links,
        )
        line += text.count("\n", first, citation.end)
        start, pending = citation.end, []


def prose(text: str, citations: Iterable[Citation], start: int, end: int) -> str:
    """``text[start:end]`` without the citations, its ends stripped; everything else as it stands."""
    pieces: list[str] = []
    for citation in citations:
        pieces.append(text[start : citation.start])
        start = citation.end
    return "".join([*pieces, text[start:end]]).strip(BLANKS)


def skip_blanks(text: str, start: int, end: int) -> int:
    """The first offset from ``start`` on that is no blank, at most ``end``."""
    while start < end and text[start] in BLANKS:
        start += 1
    return start


def _suffix(plain: str, stop: int) -> int:
    """Where the run of ids that ends the paragraph begins; ``stop`` when there is none."""
    start = stop
    for run in _IDS.finditer(plain, plain.rfind("]", 0, stop) + 1, stop):  # ids hold no bracket
        start = run.start() if run.end() == stop else stop
    return start


def _citations(raw: str, matches: list[re.Match[str]], offset: int) -> Iterator[Citation]:
    """Each citation with the prose that it closes; citations that directly follow one another close the same."""
    position, clause = 0, ""
    for match in matches:
        clause = raw[position : match.start()].strip(BLANKS) or clause
        position = match.end()
        yield Citation(EvidenceId(match.group(1)), clause, offset + match.start(), offset + match.end())


def _block_links(topic_path: str, raw: str, plain: str, offset: int) -> tuple[BlockLink, ...]:
    links: list[BlockLink] = []
    for link in inline_links(raw, plain):
        reached = resolve_block_link(topic_path, link.destination)
        if reached is not None:
            path, block = reached
            links.append(BlockLink(link.text, path, block, offset + link.start, offset + link.end))
    return tuple(links)
