"""Who vouches for a turn, as it stands in the turn itself (``behaviours.md`` part 8, ``formats.md``, "Turns")."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.format.model import Tier, TrustMetadata, TrustState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.format.turn import Turn

OWNER_PRINCIPAL = "owner"
"""The principal of everything that the memory's owner says or has said for them."""

UNKNOWN_PRINCIPAL = "unknown"
"""The principal of a pending turn that nobody is known to have said."""

_UNVOUCHED = TrustMetadata(TrustState.PENDING, None, UNKNOWN_PRINCIPAL, None)


def owner_authority(speaker_kind: str = "human") -> TrustMetadata:
    """Give the authority of what the owner says (``human``) or is told (``assistant``)."""
    return TrustMetadata(TrustState.TRUSTED, speaker_kind, OWNER_PRINCIPAL, Tier.OWNER)


def render_authority(metadata: TrustMetadata) -> dict[str, object]:
    """Give the JSON object that a turn holds; the keys of a frame's metadata (7.6)."""
    return {
        "authority_tier": metadata.authority_tier and metadata.authority_tier.value,
        "principal_id": metadata.principal_id,
        "speaker_kind": metadata.speaker_kind,
        "trust_state": metadata.trust_state.value,
        "version": 1,
    }


def authority_of(turn: Turn) -> TrustMetadata | None:
    """Read a turn's authority; ``None`` for an unstamped turn, which is old history: trusted, without tier (8.13).

    An object that says anything else than ``render_authority`` does vouches for nothing.
    """
    if turn.authority is None:
        return None
    try:
        return _known(tuple(turn.authority.items()))
    except TypeError:  # it holds an object or a list
        return _parse(turn.authority)


def is_pending(turn: Turn) -> bool:
    """Whether nobody vouches for the turn: it is archived and searched, and never given to a writer (8.18)."""
    authority = authority_of(turn)
    return authority is not None and authority.trust_state is TrustState.PENDING


@lru_cache(maxsize=1024)
def _known(items: tuple[tuple[str, object], ...]) -> TrustMetadata:
    """What is known of the few authorities that the turns of a memory have."""
    return _parse(dict(items))


def _parse(fields: Mapping[str, object]) -> TrustMetadata:
    tier, principal, kind = (fields.get(key) for key in ("authority_tier", "principal_id", "speaker_kind"))
    if not isinstance(principal, str) or not isinstance(kind, str) or tier not in ("owner", "paired", None):
        return _UNVOUCHED
    state = TrustState.TRUSTED if fields.get("trust_state") == "trusted" else TrustState.PENDING
    found = TrustMetadata(state, kind, principal, None if tier is None else Tier(str(tier)))
    return found if render_authority(found) == dict(fields) else _UNVOUCHED
