"""With whose authority a turn counts that is added as it is said (behaviours.md part 8)."""

from __future__ import annotations

import pytest

from gitmem.authority import Authority
from gitmem.conversations.adding import NewTurn, add_turn
from gitmem.conversations.authority import authority_of, is_pending, owner_authority
from gitmem.errors import Code, InvalidRequest
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.testing.conversation_suite import SESSION, turn
from gitmem.testing.conversations import MemoryConversations

OWNER = Authority(Tier.OWNER, "owner")
PAIRED = Authority(Tier.PAIRED, "7391")
NOBODY = Authority(None, "4402")


@pytest.fixture
def store() -> MemoryConversations:
    return MemoryConversations()


def say(
    store: MemoryConversations, content: str, by: Authority | TrustMetadata = OWNER, **more: str | None
) -> TrustMetadata | None:
    return authority_of(add_turn(store, SESSION, NewTurn(content, id=content, **more), by).turn)  # type: ignore[arg-type]


def test_what_nobody_in_particular_says_is_the_callers(store: MemoryConversations) -> None:
    assert say(store, "a") == owner_authority()
    assert say(store, "b", PAIRED) == TrustMetadata(TrustState.TRUSTED, "human", "7391", Tier.PAIRED)
    assert say(store, "c", NOBODY) == TrustMetadata(TrustState.PENDING, "human", "4402", None)


def test_one_person_who_is_named_is_the_owner_and_every_other_is_pending(store: MemoryConversations) -> None:
    assert say(store, "a", speaker_id="1", speaker_display="Ada") == owner_authority()
    assert say(store, "b") == owner_authority()
    assert say(store, "c", speaker_id="2") == TrustMetadata(TrustState.PENDING, "human", "2", None)
    assert say(store, "d", speaker_display="Ada") == TrustMetadata(TrustState.PENDING, "human", "Ada", None)
    assert say(store, "e", speaker_id="1", speaker_display="somebody else") == owner_authority()
    assert say(store, "f", speaker_id="2", speaker_display="Ada") == TrustMetadata(
        TrustState.PENDING, "human", "2", None
    )


def test_a_person_counts_as_before_in_the_conversation(store: MemoryConversations) -> None:
    paired = TrustMetadata(TrustState.TRUSTED, "human", "7", Tier.PAIRED)
    say(store, "a", paired, speaker_id="7")
    assert say(store, "b", speaker_id="7") == paired
    assert say(store, "c", speaker_id="8") == TrustMetadata(TrustState.PENDING, "human", "8", None)
    pending = TrustMetadata(TrustState.PENDING, "human", "9", None)
    say(store, "d", pending, speaker_id="9")
    assert say(store, "e", speaker_id="9") == pending


def test_unstamped_history_is_the_owners(store: MemoryConversations) -> None:
    # behaviours.md 8.13
    with store.batch() as batch:
        node = batch.add(turn("a", speaker_id="1", authority=None), None)
        batch.point(SESSION, "main", node, expected=None)
    assert say(store, "b", speaker_id="1") == owner_authority()
    assert say(store, "c", role="assistant") == owner_authority("assistant")


def test_nobody_becomes_somebody_else_by_taking_their_id_for_a_name(store: MemoryConversations) -> None:
    say(store, "a", speaker_id="1", speaker_display="Ada")
    assert say(store, "b", speaker_display="1") == TrustMetadata(TrustState.PENDING, "human", "1", None)
    assert say(store, "c", speaker_id="Ada") == TrustMetadata(TrustState.PENDING, "human", "Ada", None)
    assert say(store, "d", speaker_id="1") == owner_authority()


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\x07", "\u202e\u2066"])
def test_control_characters_alone_name_nobody(store: MemoryConversations, name: str) -> None:
    # behaviours.md 8.3
    say(store, "a", speaker_id="1")
    assert say(store, "b", speaker_id=name, speaker_display=name) == owner_authority()


def test_an_answer_has_the_tier_of_what_it_answers_and_no_speaker(store: MemoryConversations) -> None:
    say(store, "a", TrustMetadata(TrustState.TRUSTED, "human", "7", Tier.PAIRED), speaker_id="7")
    answer = add_turn(store, SESSION, NewTurn("b", role="assistant", speaker_id="1", speaker_display="Ada"), OWNER)
    assert (answer.turn.speaker_id, answer.turn.speaker_display) == (None, None)
    assert authority_of(answer.turn) == TrustMetadata(TrustState.TRUSTED, "assistant", "7", Tier.PAIRED)
    say(store, "c", speaker_id="2")
    assert is_pending(add_turn(store, SESSION, NewTurn("d", role="assistant"), OWNER).turn)
    assert is_pending(add_turn(store, SESSION, NewTurn("e", role="tool"), OWNER).turn)


def test_nobody_gives_more_than_they_have(store: MemoryConversations) -> None:
    say(store, "a", speaker_id="1")
    own = TrustMetadata(TrustState.TRUSTED, "human", "7391", Tier.PAIRED)
    assert say(store, "b", PAIRED, speaker_id="1") == own
    assert say(store, "c", PAIRED, parent="a", role="assistant") == TrustMetadata(
        TrustState.TRUSTED, "assistant", "7391", Tier.PAIRED
    )
    assert say(store, "d", NOBODY, speaker_id="1") == TrustMetadata(TrustState.PENDING, "human", "4402", None)


@pytest.mark.parametrize(
    "word",
    [
        TrustMetadata(TrustState.TRUSTED, "human", "unknown", Tier.OWNER),  # behaviours.md 8.12
        TrustMetadata(TrustState.TRUSTED, "human", "owner", None),
        TrustMetadata(TrustState.TRUSTED, "human", "", Tier.OWNER),
        TrustMetadata(TrustState.TRUSTED, None, "owner", Tier.OWNER),
        TrustMetadata(TrustState.PENDING, "human", None, None),
        TrustMetadata(TrustState.PENDING, "human", "4402", Tier.OWNER),
    ],
)
def test_an_incomplete_word_is_refused(store: MemoryConversations, word: TrustMetadata) -> None:
    # behaviours.md 8.10, 8.13
    with pytest.raises(InvalidRequest) as caught:
        say(store, "a", word)
    assert caught.value.code is Code.INVALID_ARGUMENT
    assert store.sessions() == ()
