"""One paragraph without the clauses that rest on erased messages alone.

A clause is the prose that a citation closes; citations that directly follow one another close the same one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.paragraph import BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.format.model import Citation

_LEAD = BLANKS + ",;:."


class Fates(NamedTuple):
    """Which footnotes go (``gone``), and which lose some of their sources (``thinned``).

    ``whole``: a clause that loses any of its evidence goes with all of it.
    """

    gone: frozenset[str]
    thinned: frozenset[str]
    whole: bool = False


class Pruned(NamedTuple):
    """A paragraph's new text, ``None`` when none of its clauses stays; whether erased evidence had company."""

    text: str | None
    shared: bool


def pruned(text: str, start: int, end: int, citations: Iterable[Citation], fates: Fates) -> Pruned:
    """The paragraph ``text[start:end]`` after its citations met their fates."""
    groups = list(_groups(text, citations))
    pieces: list[str] = []
    position, shared, lead = start, False, False
    for group in groups:
        stays = [c for c in group if c.id not in fates.gone and not (fates.whole and c.id in fates.thinned)]
        hurt = len(stays) < len(group) or any(c.id in fates.thinned for c in group)
        shared = shared or (hurt and (bool(stays) or any(c.id in fates.thinned for c in group)))
        if hurt and (fates.whole or not stays):
            lead = lead or not pieces
        else:
            clause = text[position : group[0].start]
            pieces.append(clause.lstrip(_LEAD) if lead and not pieces else clause)
            pieces += [text[c.start : c.end] for c in stays]
        position = group[-1].end
    if groups and not pieces:
        return Pruned(None, shared)
    return Pruned("".join([*pieces, text[position:end]]), shared)


def _groups(text: str, citations: Iterable[Citation]) -> Iterator[list[Citation]]:
    """The citations of a paragraph, those together that close the same clause."""
    group: list[Citation] = []
    for citation in citations:
        if group and text[group[-1].end : citation.start].strip(BLANKS):
            yield group
            group = []
        group.append(citation)
    if group:
        yield group
