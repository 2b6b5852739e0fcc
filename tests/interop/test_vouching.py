"""With whose authority an ingested turn counts (behaviours.md part 8)."""

from __future__ import annotations

from typing import Any

import pytest

from gitmem.conversations.authority import owner_authority
from gitmem.conversations.model import SessionId
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.interop.reading import Draft, Place
from gitmem.interop.vouching import Speakers, Vouching, speaker_key

OWNER = owner_authority()


def draft(speaker_id: str | None = None, name: str | None = None, role: str = "user", **values: Any) -> Draft:
    return Draft(
        SessionId("import", "chat"),
        "m1",
        None,
        role,
        "x",
        Place("x"),
        speaker_id=speaker_id,
        speaker_display=name,
        **values,
    )


def pending(principal: str, kind: str = "human") -> TrustMetadata:
    return TrustMetadata(TrustState.PENDING, kind, principal, None)


def paired(principal: str, kind: str = "human") -> TrustMetadata:
    return TrustMetadata(TrustState.TRUSTED, kind, principal, Tier.PAIRED)


# --- people


@pytest.mark.parametrize(
    ("speaker_id", "name", "key"),
    [
        ("7391", "Ada", "7391"),
        (None, "Ada", "Ada"),
        ("\u200b", "Ada", "Ada"),
        ("7391", None, "7391"),
        (None, "\u200b", None),
        (None, None, None),
    ],
)
def test_the_id_tells_speakers_apart_and_the_name_where_there_is_none(
    speaker_id: str | None, name: str | None, key: str | None
) -> None:
    # behaviours.md 8.3
    assert speaker_key(draft(speaker_id, name)) == key


def test_one_person_under_two_names_is_one_speaker() -> None:
    speakers = Speakers()
    for item in (draft("7391", "Ada"), draft("7391", "Ada L."), draft(), draft("1", "Bot", role="assistant")):
        speakers.note(item)
    assert speakers.labels == {"7391": "Ada (7391)"}


def test_groups_are_counted_together() -> None:
    one, two = Speakers({"1": "Ada (1)"}), Speakers({"2": "Bo (2)"})
    assert Speakers.together([one, two, one]).labels == {"1": "Ada (1)", "2": "Bo (2)"}


@pytest.mark.parametrize(
    ("keys", "named", "key"),
    [
        (["Ada"], "Ada", "Ada"),
        (["Ada"], "ada", None),
        (["~\u202fAda"], "~ Ada", "~\u202fAda"),
        (["\u200eAda \n L"], "Ada L", "\u200eAda \n L"),
        (["Ada", "Ada\u200b"], "Ada", "Ada"),
        (["Ada\u200b", "Ada\u2060"], "Ada", None),
        (["[Ada]"], "(Ada)", None),
        ([], "Ada", None),
    ],
)
def test_somebody_is_named_exactly_or_as_it_looks_if_nobody_else_looks_so(
    keys: list[str], named: str, key: str | None
) -> None:
    """A name that only looks like another's gives nobody the other's authority (behaviours.md 8.1)."""
    assert Speakers({key: key for key in keys}).key_of(named) == key


# --- one person at most


@pytest.mark.parametrize("given", [draft(), draft("7391", "Ada"), draft(None, "Ada")])
def test_one_human_speaker_at_most_is_the_owner(given: Draft) -> None:
    assert Vouching(alone=True).of(given, None) == OWNER


def test_the_one_speaker_is_not_the_owner_when_somebody_else_was_named() -> None:
    assert Vouching(alone=True, owner="1").of(draft("2"), None) == pending("2")
    assert Vouching(alone=True, paired=frozenset({"2"})).of(draft("2"), None) == paired("2")


def test_an_assistant_without_a_question_is_the_owners_when_nobody_else_is_there() -> None:
    assert Vouching(alone=True).of(draft(role="assistant"), None) == owner_authority("assistant")


# --- several people


def test_without_a_named_owner_everybody_is_pending() -> None:
    vouching = Vouching(alone=False)
    assert vouching.of(draft("1", "Ada"), None) == pending("1")
    assert vouching.of(draft(None, "Bo"), None) == pending("Bo")
    assert vouching.of(draft(), None) == pending("unknown")
    assert vouching.of(draft(role="assistant"), None) == pending("unknown", "assistant")


def test_the_named_are_owner_and_paired_and_everybody_else_is_pending() -> None:
    vouching = Vouching(alone=False, owner="1", paired=frozenset({"2"}))
    assert vouching.of(draft("1", "Ada"), None) == OWNER
    assert vouching.of(draft("2", "Bo"), None) == paired("2")
    assert vouching.of(draft("3", "Cy"), None) == pending("3")
    assert vouching.of(draft(), None) == pending("unknown")


def test_a_name_that_is_somebodys_id_gives_no_authority() -> None:
    # behaviours.md 8.1: a display name is chosen by its bearer, an id is not
    assert Vouching(alone=False, owner="1").of(draft("3", "1"), None) == pending("3")


@pytest.mark.parametrize("answered", [OWNER, paired("2"), pending("3")])
@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_an_answer_has_the_tier_of_what_it_answers(answered: TrustMetadata, role: str) -> None:
    found = Vouching(alone=False, owner="1").of(draft(role=role), answered)
    assert found == TrustMetadata(answered.trust_state, role, answered.principal_id, answered.authority_tier)


# --- what the file says of itself


def test_a_file_may_lower_a_turn() -> None:
    # behaviours.md 8.11
    assert Vouching(alone=True).of(draft("1", pending=True), None) == pending("1")
    assert Vouching(alone=True).of(draft(pending=True), None) == pending("unknown")
    assert Vouching(alone=True).of(draft(role="assistant", pending=True), OWNER) == pending("owner", "assistant")


def test_a_name_that_is_spelled_like_an_id_is_somebody_elses() -> None:
    """Nobody becomes the owner by calling themselves by the owner's id (behaviours.md 8.1)."""
    speakers = Speakers()
    for item in (draft("7391", "Ada"), draft(None, "7391")):
        speakers.note(item)
    assert (speakers.number, speakers.labels) == (2, {"7391": "Ada (7391)"})
    assert Speakers.together([Speakers(ids={"7391"}), speakers]).number == 2
    vouching = Vouching(alone=False, owner="7391", paired=frozenset({"Bo"}), ids=frozenset({"7391"}))
    assert vouching.of(draft("7391", "Ada"), None) == OWNER
    assert vouching.of(draft(None, "7391"), None) == pending("7391")
    assert vouching.of(draft(None, "Bo"), None) == paired("Bo")
