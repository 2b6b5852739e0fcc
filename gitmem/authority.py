"""Who asks, as one value that travels from the surface to the commit (``behaviours.md`` part 8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.format.model import Tier

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, slots=True)
class Authority:
    """Who vouches for a request: complete, or the request is refused (8.10). Never read from a payload (8.11).

    ``tier`` is ``None`` for an unpaired speaker, whose words are archived as pending. ``speaker_id`` and
    ``speaker_display`` name whoever speaks where that is somebody else than the owner. ``interactive`` says that a
    person decided: on a terminal, or by the word of the host's own code.
    """

    tier: Tier | None
    principal_id: str
    speaker_kind: str = "human"
    interactive: bool = False
    speaker_id: str | None = None
    speaker_display: str | None = None

    def delegated(self, tier: Tier | None = Tier.OWNER) -> Self:
        """What somebody may do on this one's behalf: the same or, with another ``tier``, less; never in person."""
        narrower = tier if self.tier is Tier.OWNER else self.tier if tier is not None else None
        return replace(self, tier=narrower, interactive=False)


NOBODY = Authority(None, "")
"""Somebody of whom nothing is known, who may do nothing."""

OWNER = Authority(Tier.OWNER, "owner")
"""The memory's owner at work through a program, which cannot confirm anything for them."""

IN_PERSON = replace(OWNER, interactive=True)
"""The memory's owner in person."""

PAIRED = Authority(Tier.PAIRED, "paired")
"""Somebody whom the owner shares a memory with, where the surface knows no more of them."""
