"""Who may see what (``behaviours.md`` part 8, "visibility"): derived when something is read, never declared."""

from __future__ import annotations

from gitmem.format.model import Tier


def sees(reader: Tier | None, visibility: Tier) -> bool:
    """Whether a reader sees what is visible to a tier: the owner everything, somebody unknown nothing."""
    return reader is Tier.OWNER or (reader is not None and reader is visibility)
