"""Trust and visibility of sources and claims, answered from facts (``behaviours.md`` part 8)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Protocol

from gitmem.format.model import TrustState
from gitmem.policy import trust as policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Claim, Record, Tier
    from gitmem.ids import SourceId, Target


class Sources(Protocol):
    """What trust is asked of: the part of ``Facts`` that knows messages."""

    def record(self, target: Target) -> Record | None:
        """The archived message a resolved link reaches."""
        ...

    def promoted(self, handle: SourceId) -> Tier | None:
        """The tier with which somebody vouched for the handle; ``None``: nobody did."""
        ...


class Remembered:
    """``Sources`` that look up each message once: for answers that show many claims of one state."""

    def __init__(self, sources: Sources) -> None:
        """Ask these sources."""
        self.record = cache(sources.record)
        self.promoted = cache(sources.promoted)


def record_trust(facts: Sources, record: Record) -> TrustState:
    """The trust of an archived message: its frame's metadata or, if pending, its promotion (0.4, 7.7)."""
    if record.metadata is None or record.metadata.trust_state is TrustState.TRUSTED:
        return TrustState.TRUSTED
    return TrustState.PENDING if facts.promoted(record.handle) is None else TrustState.TRUSTED


def record_tier(facts: Sources, record: Record) -> Tier | None:
    """Whose the message is: its frame's tier or, where it was pending, its promotion's (0.4)."""
    if record.metadata is None or record.metadata.trust_state is TrustState.TRUSTED:
        return None if record.metadata is None else record.metadata.authority_tier
    return facts.promoted(record.handle)


def source_trust(facts: Sources, target: Target) -> TrustState | None:
    """The trust of the source that a link reaches; ``None`` when it reaches none."""
    record = facts.record(target)
    return None if record is None else record_trust(facts, record)


def cited_targets(claim: Claim) -> Iterator[Target | None]:
    """What every source link of the claim reaches, in citation order; ``None`` for one that cannot reach an archive."""
    for evidence in claim.evidence:
        for link in evidence.sources:
            yield link.resolved


def claim_trust(facts: Sources, claim: Claim) -> TrustState:
    """The claim's trust, all or nothing over its sources (8.14)."""
    return policy.claim_trust(None if t is None else source_trust(facts, t) for t in cited_targets(claim))


def claim_visibility(facts: Sources, claim: Claim) -> Tier:
    """Who may see the claim, from the tiers of its sources (part 8, "visibility")."""
    return policy.claim_visibility(_tier(facts, target) for target in cited_targets(claim))


def claim_refs(facts: Sources, claim: Claim) -> tuple[str, ...]:
    """The handles of the messages the claim cites, each once in order; a link that reaches none shows its target."""
    found: dict[str, None] = {}
    for evidence in claim.evidence:
        for link in evidence.sources:
            record = None if link.resolved is None else facts.record(link.resolved)
            found[record.handle if record is not None else link.resolved or link.target] = None
    return tuple(found)


def _tier(facts: Sources, target: Target | None) -> Tier | None:
    record = None if target is None else facts.record(target)
    return None if record is None else record_tier(facts, record)
