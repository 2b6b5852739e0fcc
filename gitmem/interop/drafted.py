"""A draft becomes a turn: where it stands in the conversation, and with whose authority."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.conversations.authority import authority_of, render_authority
from gitmem.format.turn import Turn

if TYPE_CHECKING:
    from gitmem.conversations.growth import Growth
    from gitmem.interop.reading import Draft
    from gitmem.interop.vouching import Vouching


def turn_of(draft: Draft, vouching: Vouching, growth: Growth) -> Turn:
    """Make the turn, vouched for as far as its speaker is, or what it answers; its parent must be there."""
    before = None if draft.role == "user" or draft.parent is None else growth.turn(draft.parent)
    return Turn(
        provider=draft.session.provider,
        thread=draft.session.thread,
        id=draft.id,
        parent=draft.parent,
        role=draft.role,
        content=draft.content,
        timestamp=draft.timestamp,
        speaker_id=draft.speaker_id,
        speaker_display=draft.speaker_display,
        authority=render_authority(vouching.of(draft, None if before is None else authority_of(before))),
        display=draft.display,
        source=draft.source,
        metadata=draft.metadata,
    )


def continued(draft: Draft, growth: Growth) -> Draft:
    """Let a file that names no beginning go on from where the conversation stands, unless it was read before."""
    if not draft.continues or growth.has(draft.id):
        return draft
    return replace(draft, parent=growth.head)
