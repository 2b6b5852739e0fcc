"""How much a claim may be believed, and who may see it: decided from its sources, never declared (part 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.model import Tier, TrustState

if TYPE_CHECKING:
    from collections.abc import Iterable


def claim_trust(sources: Iterable[TrustState | None]) -> TrustState:
    """Trusted when there is a source and every one resolves and is trusted; else pending (``behaviours.md`` 8.14)."""
    states = tuple(sources)
    trusted = bool(states) and all(state is TrustState.TRUSTED for state in states)
    return TrustState.TRUSTED if trusted else TrustState.PENDING


def claim_visibility(tiers: Iterable[Tier | None]) -> Tier:
    """Paired when there is a source and all of them are the paired tier's; else the owner's (part 8, "visibility")."""
    known = tuple(tiers)
    paired = bool(known) and all(tier is Tier.PAIRED for tier in known)
    return Tier.PAIRED if paired else Tier.OWNER
