"""Who vouches for a turn, read from the turn (behaviours.md part 8)."""

from __future__ import annotations

import pytest

from gitmem.conversations.authority import authority_of, is_pending, owner_authority, render_authority
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.testing.conversation_suite import turn

OWNER = {
    "authority_tier": "owner",
    "principal_id": "owner",
    "speaker_kind": "human",
    "trust_state": "trusted",
    "version": 1,
}


def test_authority_is_written_with_the_keys_of_a_frame() -> None:
    # behaviours.md 7.6
    assert render_authority(owner_authority()) == OWNER


@pytest.mark.parametrize(
    "metadata",
    [
        owner_authority(),
        owner_authority("assistant"),
        TrustMetadata(TrustState.TRUSTED, "human", "7391", Tier.PAIRED),
        TrustMetadata(TrustState.PENDING, "human", "unknown", None),
    ],
)
def test_what_was_written_is_read_back(metadata: TrustMetadata) -> None:
    assert authority_of(turn("m1", authority=render_authority(metadata))) == metadata


def test_an_unstamped_turn_is_old_history() -> None:
    # behaviours.md 8.13
    assert authority_of(turn("m1")) is None
    assert not is_pending(turn("m1"))


@pytest.mark.parametrize(
    "changed",
    [
        {"trust_state": "sure"},
        {"trust_state": None},
        {"authority_tier": "king"},
        {"authority_tier": ["owner"]},
        {"principal_id": None},
        {"principal_id": 7},
        {"speaker_kind": None},
        {"version": 2},
        {"version": True, "more": 1},
    ],
)
def test_an_object_that_says_anything_else_vouches_for_nothing(changed: dict[str, object]) -> None:
    # behaviours.md 8.10
    assert is_pending(turn("m1", authority={**OWNER, **changed}))
    assert is_pending(turn("m1", authority={}))
