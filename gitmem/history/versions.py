"""Every version of a claim, across moves, splits and merges, also of one that is gone (``cli.md``, ``history``)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from gitmem.catalog.step import EventKind
from gitmem.edit.compose import block_id
from gitmem.facts.trust import claim_refs
from gitmem.format.topic import claims_of
from gitmem.history.life import life
from gitmem.history.named import never_held
from gitmem.history.transactions import origin, sides
from gitmem.store.commits import read_commit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Claim
    from gitmem.history.life import Happening
    from gitmem.ids import BlockId
    from gitmem.memory import Memory
    from gitmem.store.commits import Commit
    from gitmem.store.tree import Tree


@dataclass(frozen=True, slots=True)
class VersionAnswer:
    """The claim after one commit that touched it; for ``removed``, what went.

    ``event`` is ``added``, ``changed``, ``moved`` (only that), ``merged`` (from then on the text is that of the block
    it became part of) or ``removed``.
    """

    revision: str
    at: str
    author: str
    writer: str | None
    event: str
    path: str
    headings: tuple[str, ...]
    when: str | None
    content: str
    refs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HistoryAnswer:
    """``versions`` come oldest first; ``id`` and ``aliases`` are those of the block that carries the id (last)."""

    id: str
    aliases: tuple[str, ...]
    present: bool
    versions: tuple[VersionAnswer, ...]


def block_history(memory: Memory, block: str) -> HistoryAnswer:
    """Tell a block's life up to a revision. Raises ``NotFound`` (``MEMORY_NOT_FOUND``) when there never was one."""
    wanted = block_id(block)
    told = tuple(_versions(memory, wanted))
    standing = next(iter(memory.facts.claims(wanted)), None)
    last = standing or (told[-1][0] if told else None)
    if last is None:
        raise never_held(wanted)
    return HistoryAnswer(last.id, last.aliases, standing is not None, tuple(version for _, version in told))


def _versions(memory: Memory, wanted: BlockId) -> Iterator[tuple[Claim, VersionAnswer]]:
    happenings = life(memory.view.history, wanted) or _as_alias(memory, wanted)
    for link, together in groupby(happenings, key=lambda happening: happening.link):
        commit = read_commit(memory.repo, link.commit)
        found = _version(memory, wanted, commit, tuple(together)) if commit is not None else None
        if found is not None:
            yield found


def _as_alias(memory: Memory, wanted: BlockId) -> tuple[Happening, ...]:
    """The life of the block that carries an id which never stood alone: it was taken over so."""
    return tuple(
        happening for claim in memory.facts.claims(wanted) for happening in life(memory.view.history, claim.id)
    )


def _version(
    memory: Memory, wanted: BlockId, commit: Commit, happenings: tuple[Happening, ...]
) -> tuple[Claim, VersionAnswer] | None:
    before, after = map(memory.seen, sides(memory.repo, commit))
    kinds = {happening.event.kind for happening in happenings}
    claim = _carrying(after, wanted, _places(memory, happenings))
    event = _event(kinds)
    if claim is None:
        claim, event = _carrying(before, wanted, [happening.event.path for happening in happenings]), EventKind.REMOVED
    if claim is None:
        return None  # an alias was already gone when the block went
    by = origin(commit)
    return claim, VersionAnswer(
        revision=by.revision,
        at=by.at,
        author=by.author,
        writer=by.writer,
        event=event.value,
        path=claim.path,
        headings=claim.headings,
        when=claim.whens[0] if claim.whens else None,
        content=claim.content,
        refs=claim_refs(memory.facts, claim),
    )


def _event(kinds: set[EventKind]) -> EventKind:
    order = (EventKind.ADDED, EventKind.MERGED, EventKind.CHANGED, EventKind.MOVED, EventKind.REMOVED)
    return next(kind for kind in order if kind in kinds)


def _places(memory: Memory, happenings: tuple[Happening, ...]) -> Iterator[str]:
    """Files that may hold the block after the commit; that of the block it was merged into is told apart."""
    for happening in happenings:
        yield happening.event.path
        if happening.event.kind is EventKind.MERGED:
            done = memory.view.history.events(happening.link.commit)
            yield from (event.path for event in done if event.id == happening.event.other)


def _carrying(tree: Tree, wanted: BlockId, paths: Iterator[str] | list[str]) -> Claim | None:
    for path in paths:
        topic = tree.topic(path)
        for claim in claims_of(topic) if topic is not None else ():
            if wanted in claim.ids:
                return claim
    return None
