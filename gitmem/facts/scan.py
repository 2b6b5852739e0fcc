"""Facts held in dictionaries: a plain scan of a tree, and the upper half of an overlay."""

# ruff: noqa: D102  (the methods are documented in the protocol, gitmem.facts.base)

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from gitmem.facts.contribution import contributes, contributions_of, meaning_of
from gitmem.facts.order import newest, number_new, precedence
from gitmem.format.promotions import handle_sha256

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.facts.base import Meaning
    from gitmem.facts.contribution import Contribution
    from gitmem.format.model import Claim, Record, Tier
    from gitmem.ids import BlockId, EvidenceId, SourceId, Target, TopicPath
    from gitmem.store.tree import Tree

K = TypeVar("K")
V = TypeVar("V")


def scan_facts(tree: Tree, created: Mapping[BlockId, int] | None = None) -> ScanFacts:
    """The facts of a tree by reading all of it.

    ``created`` gives the order of first appearance as far as it is known, densely from 0 and of ids long gone too;
    other ids follow in path and file order.
    """
    paths = (entry.path for entry in tree.entries() if contributes(entry.path))
    return ScanFacts(contributions_of(tree, paths), created)


class ScanFacts:
    """``Facts`` of some files' contributions. Each index is made when the first question needs it."""

    def __init__(
        self, contributions: Mapping[str, Contribution | None], created: Mapping[BlockId, int] | None = None
    ) -> None:
        """Take the contributions by path, and the creation order as ``scan_facts`` has it."""
        self._parts = {path: part for path, part in sorted(contributions.items()) if part is not None}
        self._known = created or {}

    def claims(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._by_id.get(block_id, ())

    def inbound(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._by_link.get(block_id, ())

    def meanings(self, evidence_id: EvidenceId) -> frozenset[Meaning]:
        return frozenset(meaning for _, meaning in self.defined(evidence_id))

    def defined(self, evidence_id: EvidenceId) -> frozenset[tuple[TopicPath, Meaning]]:
        return frozenset(self._definitions.get(evidence_id, ()))

    def evidence_like(self, meaning: Meaning) -> tuple[EvidenceId, ...]:
        return tuple(sorted(set(self._by_meaning.get(meaning, ()))))

    def record(self, target: Target) -> Record | None:
        return next(iter(self._by_place.get(target, ())), None)

    def source(self, handle: SourceId) -> Record | None:
        return next(iter(self.sources(handle)), None)

    def sources(self, handle: SourceId) -> tuple[Record, ...]:
        return tuple(sorted(self._by_handle.get(handle, ()), key=precedence))

    def promoted(self, handle: SourceId) -> Tier | None:
        return self._promoted.get(handle)

    def forgotten(self, handle: SourceId) -> bool:
        return bool(self._forgotten) and handle_sha256(handle) in self._forgotten

    def citing(self, target: Target) -> tuple[Claim, ...]:
        return self._by_target.get(target, ())

    def dated(self, when: str) -> tuple[Claim, ...]:
        return self._by_when.get(when, ())

    def whens(self) -> Iterator[str]:
        return iter(sorted(self._by_when))

    def links(self) -> Iterator[tuple[TopicPath, BlockId, BlockId]]:
        return ((claim.path, claim.id, link) for claim in self.all_claims() for link in claim.links)

    def links_in(self, path: TopicPath) -> tuple[Claim, ...]:
        return self._by_reach.get(path, ())

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        part = self._parts.get(path)
        return () if part is None else part.claims

    def created(self, block_id: BlockId) -> int | None:
        known = self._known.get(block_id)
        return self._new.get(block_id) if known is None else known

    def created_count(self) -> int:
        return len(self._known) + len(self._new)

    def recent(self, limit: int) -> tuple[Claim, ...]:
        return newest(self.all_claims(), self.created, limit)

    def all_claims(self) -> Iterator[Claim]:
        """Every claim, by path and ordinal."""
        return (claim for part in self._parts.values() for claim in part.claims)

    @cached_property
    def _new(self) -> dict[BlockId, int]:
        return number_new(self.all_claims(), self._known.__contains__, len(self._known))

    @cached_property
    def _by_id(self) -> dict[BlockId, tuple[Claim, ...]]:
        return _group((block_id, claim) for claim in self.all_claims() for block_id in claim.ids)

    @cached_property
    def _by_link(self) -> dict[BlockId, tuple[Claim, ...]]:
        return _group((link, claim) for claim in self.all_claims() for link in claim.links)

    @cached_property
    def _by_reach(self) -> dict[str, tuple[Claim, ...]]:
        return _group(
            (path, claim)
            for part in self._parts.values()
            for claim, paths in zip(part.claims, part.reaches, strict=True)
            for path in paths
        )

    @cached_property
    def _by_when(self) -> dict[str, tuple[Claim, ...]]:
        return _group((when, claim) for claim in self.all_claims() for when in claim.whens)

    @cached_property
    def _by_target(self) -> dict[Target, tuple[Claim, ...]]:
        return _group(
            (link.resolved, claim)
            for claim in self.all_claims()
            for evidence in claim.evidence
            for link in evidence.sources
            if link.resolved is not None
        )

    @cached_property
    def _definitions(self) -> dict[EvidenceId, tuple[tuple[TopicPath, Meaning], ...]]:
        return _group((evidence_id, (path, meaning)) for path, evidence_id, meaning in self._meanings())

    @cached_property
    def _by_meaning(self) -> dict[Meaning, tuple[EvidenceId, ...]]:
        return _group((meaning, evidence_id) for _, evidence_id, meaning in self._meanings())

    def _meanings(self) -> Iterator[tuple[TopicPath, EvidenceId, Meaning]]:
        for claim in self.all_claims():
            for evidence in claim.evidence:
                meaning = meaning_of(evidence)
                if meaning is not None:
                    yield claim.path, evidence.id, meaning

    @cached_property
    def _promoted(self) -> Mapping[SourceId, Tier]:
        return {handle: tier for part in self._parts.values() for handle, tier in part.promoted.items()}

    @cached_property
    def _forgotten(self) -> frozenset[str]:
        return frozenset().union(*(part.forgotten for part in self._parts.values()))

    @cached_property
    def _by_place(self) -> dict[Target, tuple[Record, ...]]:
        return _group((record.target, record) for part in self._parts.values() for record in part.records)

    @cached_property
    def _by_handle(self) -> dict[SourceId, tuple[Record, ...]]:
        return _group((record.handle, record) for part in self._parts.values() for record in part.records)


def _group(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    """The values of each key in order of appearance; a value that comes for one key twice in a row counts once."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        group = groups.setdefault(key, [])
        if not group or group[-1] is not value:
            group.append(value)
    return {key: tuple(values) for key, values in groups.items()}
