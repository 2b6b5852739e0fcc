"""What ``turn add`` answers (``cli.md``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.conversations.authority import authority_of
from gitmem.conversations.speaking import is_eligible
from gitmem.format.model import TrustState

if TYPE_CHECKING:
    from gitmem.conversations.adding import Added
    from gitmem.conversations.model import SessionId


@dataclass(frozen=True, slots=True)
class AddedAnswer:
    """A turn as it stands after it was added (``turn add``).

    ``branch`` is the one that ends in it, ``None`` when it stands inside one; ``new`` is false when it was there.
    ``eligible``: whether it is of the kind that is written up (9.4). ``trust_state`` and ``tier`` are those of who
    vouches for it.
    """

    session: str
    branch: str | None
    new: bool
    id: str
    parent: str | None
    role: str
    speaker_id: str | None
    speaker_display: str | None
    timestamp: str | None
    content: str
    eligible: bool
    trust_state: str
    tier: str | None


def added_answer(session: SessionId, added: Added) -> AddedAnswer:
    """The answer of ``turn add``."""
    turn = added.turn
    authority = authority_of(turn)
    return AddedAnswer(
        session=str(session),
        branch=added.branch,
        new=added.new,
        id=turn.id,
        parent=turn.parent,
        role=turn.role,
        speaker_id=turn.speaker_id,
        speaker_display=turn.speaker_display,
        timestamp=turn.timestamp,
        content=turn.content,
        eligible=is_eligible(turn),
        trust_state=TrustState.TRUSTED if authority is None else authority.trust_state,
        tier=None if authority is None else authority.authority_tier,
    )
