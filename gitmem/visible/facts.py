"""``Facts`` without the claims and messages that a reader may not see."""

# ruff: noqa: D102  (the methods are documented in the protocol, gitmem.facts.base)

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.facts.trust import Remembered, claim_visibility, record_tier
from gitmem.format.model import Tier
from gitmem.policy.visibility import sees

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.facts.base import Facts, Meaning
    from gitmem.format.model import Claim, Record
    from gitmem.ids import BlockId, EvidenceId, SourceId, Target, TopicPath


class VisibleFacts:
    """What a reader may know. A claim is visible when every one of its sources is; trust is another matter."""

    def __init__(self, facts: Facts, reader: Tier | None) -> None:
        """Narrow the facts of one state."""
        self._facts = facts
        self._known = Remembered(facts)
        self.reader = reader

    def sees_claim(self, claim: Claim) -> bool:
        """Whether the reader may see a claim, of this state or of an earlier one."""
        return sees(self.reader, claim_visibility(self._known, claim))

    def sees_record(self, record: Record) -> bool:
        """Whether the reader may see a message."""
        tier = Tier.PAIRED if record_tier(self._known, record) is Tier.PAIRED else Tier.OWNER
        return sees(self.reader, tier)

    def claims(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._seen(self._facts.claims(block_id))

    def inbound(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._seen(self._facts.inbound(block_id))

    def meanings(self, evidence_id: EvidenceId) -> frozenset[Meaning]:
        return frozenset(meaning for _, meaning in self.defined(evidence_id))

    def defined(self, evidence_id: EvidenceId) -> frozenset[tuple[TopicPath, Meaning]]:
        found = self._facts.defined(evidence_id)
        cited = {path: self.of_topic(path) for path, _ in found}
        return frozenset(
            (path, meaning)
            for path, meaning in found
            if any(evidence_id == evidence.id for claim in cited[path] for evidence in claim.evidence)
        )

    def evidence_like(self, meaning: Meaning) -> tuple[EvidenceId, ...]:
        return tuple(found for found in self._facts.evidence_like(meaning) if self.meanings(found))

    def record(self, target: Target) -> Record | None:
        found = self._known.record(target)
        return found if found is not None and self.sees_record(found) else None

    def source(self, handle: SourceId) -> Record | None:
        return next(iter(self.sources(handle)), None)

    def sources(self, handle: SourceId) -> tuple[Record, ...]:
        return tuple(record for record in self._facts.sources(handle) if self.sees_record(record))

    def promoted(self, handle: SourceId) -> Tier | None:
        return self._known.promoted(handle) if self.source(handle) is not None else None

    def forgotten(self, handle: SourceId) -> bool:
        return self._facts.forgotten(handle) and self.reader is Tier.OWNER

    def citing(self, target: Target) -> tuple[Claim, ...]:
        return self._seen(self._facts.citing(target))

    def dated(self, when: str) -> tuple[Claim, ...]:
        return self._seen(self._facts.dated(when))

    def whens(self) -> Iterator[str]:
        return (when for when in self._facts.whens() if self.dated(when))

    def links(self) -> Iterator[tuple[TopicPath, BlockId, BlockId]]:
        return (link for link in self._facts.links() if self.claims(link[1]))

    def links_in(self, path: TopicPath) -> tuple[Claim, ...]:
        return self._seen(self._facts.links_in(path))

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        return self._seen(self._facts.of_topic(path))

    def created(self, block_id: BlockId) -> int | None:
        return self._facts.created(block_id) if self.claims(block_id) else None

    def created_count(self) -> int:
        return self._facts.created_count() if self.reader is Tier.OWNER else 0

    def recent(self, limit: int) -> tuple[Claim, ...]:
        """The last that are visible among the last that there are."""
        return self._seen(self._facts.recent(limit))

    def _seen(self, claims: Iterable[Claim]) -> tuple[Claim, ...]:
        return tuple(claim for claim in claims if self.sees_claim(claim))
