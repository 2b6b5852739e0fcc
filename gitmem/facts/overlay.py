"""A staged change laid over known facts: the base without the changed files, plus what these say now."""

# ruff: noqa: D102  (the methods are documented in the protocol, gitmem.facts.base)

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from gitmem.facts.contribution import Contribution, contributions_of
from gitmem.facts.order import by_place, newest, number_new, precedence
from gitmem.facts.scan import ScanFacts
from gitmem.format.layout import FORGOTTEN, PROMOTIONS, is_topic
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.facts.base import Facts, Meaning
    from gitmem.format.model import Claim, Record, Tier
    from gitmem.ids import BlockId, EvidenceId, SourceId, Target

__all__ = ["EMPTY", "Contribution", "OverlayFacts", "contributions_of"]

EMPTY: Facts = ScanFacts({})
"""The facts of a memory that holds nothing and never held anything."""


class OverlayFacts:
    """``Facts`` of a base state with some files changed.

    Every answer costs what the base's answer and the change hold.
    """

    def __init__(self, base: Facts, changed: Mapping[str, Contribution | None]) -> None:
        """Lay over ``base`` every changed path's contribution, ``None`` where the file is gone.

        Ids that the base never saw are created after its own, by path and ordinal.
        """
        self._base = base
        self._top = ScanFacts(changed)
        self._changed = frozenset(changed)

    def claims(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._laid(self._base.claims(block_id), self._top.claims(block_id))

    def inbound(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._laid(self._base.inbound(block_id), self._top.inbound(block_id))

    def meanings(self, evidence_id: EvidenceId) -> frozenset[Meaning]:
        return frozenset(meaning for _, meaning in self.defined(evidence_id))

    def defined(self, evidence_id: EvidenceId) -> frozenset[tuple[TopicPath, Meaning]]:
        base = self._base.defined(evidence_id)
        return frozenset(pair for pair in base if pair[0] not in self._changed) | self._top.defined(evidence_id)

    def evidence_like(self, meaning: Meaning) -> tuple[EvidenceId, ...]:
        base = (found for found in self._base.evidence_like(meaning) if self._still_means(found, meaning))
        return tuple(sorted({*base, *self._top.evidence_like(meaning)}))

    def _still_means(self, evidence_id: EvidenceId, meaning: Meaning) -> bool:
        defined = self._base.defined(evidence_id)
        return any(known == meaning and path not in self._changed for path, known in defined)

    def record(self, target: Target) -> Record | None:
        changed = target.partition("#")[0] in self._changed
        return self._top.record(target) if changed else self._base.record(target)

    def source(self, handle: SourceId) -> Record | None:
        return next(iter(self.sources(handle)), None)

    def sources(self, handle: SourceId) -> tuple[Record, ...]:
        base = (record for record in self._base.sources(handle) if record.path not in self._changed)
        return tuple(sorted([*base, *self._top.sources(handle)], key=precedence))

    def promoted(self, handle: SourceId) -> Tier | None:
        return (self._top if PROMOTIONS in self._changed else self._base).promoted(handle)

    def forgotten(self, handle: SourceId) -> bool:
        return (self._top if FORGOTTEN in self._changed else self._base).forgotten(handle)

    def citing(self, target: Target) -> tuple[Claim, ...]:
        return self._laid(self._base.citing(target), self._top.citing(target))

    def dated(self, when: str) -> tuple[Claim, ...]:
        return self._laid(self._base.dated(when), self._top.dated(when))

    def whens(self) -> Iterator[str]:
        doubtful = {when for claim in self._hidden for when in claim.whens}
        gone = {when for when in doubtful if not self.dated(when)}
        return iter(sorted({*self._base.whens(), *self._top.whens()} - gone))

    def links(self) -> Iterator[tuple[TopicPath, BlockId, BlockId]]:
        base = (link for link in self._base.links() if link[0] not in self._changed)
        return chain(base, self._top.links())

    def links_in(self, path: TopicPath) -> tuple[Claim, ...]:
        return self._laid(self._base.links_in(path), self._top.links_in(path))

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        return (self._top if path in self._changed else self._base).of_topic(path)

    def created(self, block_id: BlockId) -> int | None:
        known = self._base.created(block_id)
        return self._new.get(block_id) if known is None else known

    def created_count(self) -> int:
        return self._base.created_count() + len(self._new)

    def recent(self, limit: int) -> tuple[Claim, ...]:
        if limit <= 0:
            return ()
        base = self._base.recent(limit + len(self._hidden))
        standing = [claim for claim in base if claim.path not in self._changed]
        return newest([*standing, *self._top.all_claims()], self.created, limit)

    def _laid(self, base: Iterable[Claim], top: tuple[Claim, ...]) -> tuple[Claim, ...]:
        standing = [claim for claim in base if claim.path not in self._changed]
        return tuple(sorted([*standing, *top], key=by_place)) if top else tuple(standing)

    @cached_property
    def _hidden(self) -> tuple[Claim, ...]:
        """The base's claims in changed files."""
        return tuple(
            claim for path in self._changed if is_topic(path) for claim in self._base.of_topic(TopicPath(path))
        )

    @cached_property
    def _new(self) -> dict[BlockId, int]:
        first = self._base.created_count()
        return number_new(self._top.all_claims(), lambda block_id: self._base.created(block_id) is not None, first)
