"""In which order the pieces of two versions of a topic stand once they are one text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.edit.pieces import DEFINITION, HEADING, Piece, chains, moved

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from gitmem.edit.pieces import Key, Pieces


class Versions(NamedTuple):
    """Three versions of one text, their keys aligned."""

    base: Pieces
    ours: Pieces
    theirs: Pieces

    def of(self, key: Key) -> tuple[Piece | None, Piece | None, Piece | None]:
        """One piece in each version."""
        return self.base.pieces.get(key), self.ours.pieces.get(key), self.theirs.pieces.get(key)


class Moves(NamedTuple):
    """Pieces that each side put elsewhere, and those that both did, to different places."""

    ours: frozenset[Key]
    theirs: frozenset[Key]
    clashing: frozenset[Key]


def moves(versions: Versions) -> Moves:
    """What was moved against the base."""
    base, ours, theirs = (version.pieces for version in versions)
    one, two = moved(base, ours), moved(base, theirs)
    both = one & two & (moved(ours, theirs) | moved(theirs, ours))
    return Moves(one, two, frozenset(key for key in both if key.kind != DEFINITION))


def merged_order(versions: Versions, survivors: Mapping[Key, Piece], follow: Collection[Key]) -> list[Key]:
    """The surviving pieces in the order of ours, with what theirs brought or moved beside its neighbours of there.

    ``follow`` are footnotes that go to the first paragraph that cites them.
    """
    ours, theirs, shifts = versions.ours.pieces, versions.theirs.pieces, moves(versions)
    placed = [key for key in survivors if key not in follow]
    taken = {k for k in placed if k not in ours or (k in theirs and k in shifts.theirs and k not in shifts.ours)}
    order = [key for key in ours if key in survivors and key not in taken and key not in follow]
    own = {key for key in order if key not in theirs or key in shifts.ours}
    for anchor, group in _groups(theirs, taken, set(order) - own).items():
        start = 0 if anchor is None else order.index(anchor) + 1
        end = next((at for at in range(start, len(order)) if order[at] not in own), len(order))
        order[start:end] = _side_by_side(order[start:end], group, survivors)
    for key in follow:
        _put_after_citation(order, key, survivors)
    return order


def _groups(theirs: Iterable[Key], taken: Collection[Key], standing: Collection[Key]) -> dict[Key | None, list[Key]]:
    """What is taken over, by the piece of both that it follows."""
    groups: dict[Key | None, list[Key]] = {}
    anchor: Key | None = None
    for key in theirs:
        if key in taken:
            groups.setdefault(anchor, []).append(key)
        elif key in standing:
            anchor = key
    return groups


def _side_by_side(ours: list[Key], theirs: list[Key], pieces: Mapping[Key, Piece]) -> list[Key]:
    """Two runs that stand at one place: what belongs to the section above first, deeper sections before higher ones."""
    (one, below), (two, under) = _split(ours), _split(theirs)
    if below and under and pieces[under[0]].level > pieces[below[0]].level:
        return [*one, *two, *under, *below]
    return [*one, *two, *below, *under]


def _split(run: list[Key]) -> tuple[list[Key], list[Key]]:
    at = next((at for at, key in enumerate(run) if key.kind == HEADING), len(run))
    return run[:at], run[at:]


def _put_after_citation(order: list[Key], key: Key, pieces: Mapping[Key, Piece]) -> None:
    at = next((at for at, other in enumerate(order) if key.name in pieces[other].cites), len(order) - 1) + 1
    while at < len(order) and order[at].kind == DEFINITION:
        at += 1
    order.insert(at, key)


def misplaced(versions: Versions, order: Iterable[Key], survivors: Mapping[Key, Piece]) -> Iterator[Key]:
    """Pieces that came to stand under headings where no version has them."""
    under = [chains(version.pieces.values()) for version in versions]
    adopting = {h for chain in under[1:] for key, above in chain.items() if key in versions.base.pieces for h in above}
    for key, now in chains(survivors[key] for key in order).items():
        if key.kind == DEFINITION:
            continue
        before, ours, theirs = (chain.get(key) for chain in under)
        chosen = _changed(before, ours, theirs)
        sides = _chosen(versions, under, key, chosen)
        if not any(_fits(now, [h for h in then if h in survivors], version, adopting) for then, version in sides):
            yield key


def _changed(before: object, ours: object, theirs: object) -> tuple[bool, bool]:
    """Which of the two sides says where a piece stands; neither when they differ."""
    if ours is None or theirs is None:
        return ours is not None, theirs is not None
    return theirs in {before, ours}, ours in {before, theirs}


def _chosen(
    versions: Versions, under: list[dict[Key, tuple[Key, ...]]], key: Key, chosen: tuple[bool, bool]
) -> Iterator[tuple[tuple[Key, ...], Pieces]]:
    for wanted, chain, version in zip(chosen, under[1:], versions[1:], strict=True):
        if wanted and key in chain:
            yield chain[key], version


def _fits(now: Sequence[Key], then: Sequence[Key], version: Pieces, adopting: AbstractSet[Key]) -> bool:
    """Whether the headings are those of the side, but for what the other one put above pieces of the base."""
    foreign = {heading for heading in now if heading not in version.pieces}
    return [heading for heading in now if heading not in foreign] == then and foreign <= adopting
