"""One turn more, as it is said (cli.md, turn add)."""

from __future__ import annotations

import pytest

from conversation_turns import shown
from gitmem.conversations.adding import NewTurn, add_turn, content_id
from gitmem.conversations.authority import authority_of, owner_authority
from gitmem.conversations.model import MAIN, SessionId
from gitmem.errors import Code, GitmemError, InvalidRequest, NotFound, Refused
from gitmem.testing.conversation_suite import SESSION
from gitmem.testing.conversations import MemoryConversations

OWNER = owner_authority()


@pytest.fixture
def store() -> MemoryConversations:
    return MemoryConversations()


def test_a_first_turn_begins_a_conversation(store: MemoryConversations) -> None:
    said = NewTurn("hello", id="m1", timestamp="2026-08-09", speaker_id="7391", speaker_display="Ada")
    added = add_turn(store, SESSION, said, OWNER)
    assert (added.branch, added.new, added.turn.parent) == (MAIN, True, None)
    assert (added.turn.timestamp, added.turn.speaker_id, added.turn.speaker_display) == ("2026-08-09", "7391", "Ada")
    assert authority_of(added.turn) == OWNER
    assert shown(store) == {MAIN: "m1"}


def test_a_turn_follows_the_head(store: MemoryConversations) -> None:
    for name in ("m1", "m2", "m3"):
        add_turn(store, SESSION, NewTurn(name, id=name), OWNER)
    assert shown(store) == {MAIN: "m1 m2 m3"}


def test_a_turn_with_a_parent_is_a_retry_that_the_conversation_goes_on_from(store: MemoryConversations) -> None:
    for name in ("m1", "m2"):
        add_turn(store, SESSION, NewTurn(name, id=name), OWNER)
    added = add_turn(store, SESSION, NewTurn("r2", id="r2", parent="m1"), OWNER)
    assert added.branch == MAIN
    assert shown(store) == {MAIN: "m1 r2", "m2": "m1 m2"}


def test_the_same_turn_again_is_there_once(store: MemoryConversations) -> None:
    for name in ("m1", "m2"):
        add_turn(store, SESSION, NewTurn(name, id=name), OWNER)
    again = add_turn(store, SESSION, NewTurn("m1", id="m1"), OWNER)
    assert (again.new, again.branch, again.turn.parent) == (False, None, None)
    assert shown(store) == {MAIN: "m1 m2"}


def test_a_turn_without_id_gets_one_from_its_content_and_place(store: MemoryConversations) -> None:
    names = [add_turn(store, SESSION, NewTurn("yes"), OWNER).turn.id for _ in range(3)]
    assert names == [content_id("yes", place) for place in (1, 2, 3)]
    assert shown(store) == {MAIN: " ".join(names)}


def test_an_id_that_says_something_else_is_refused(store: MemoryConversations) -> None:
    add_turn(store, SESSION, NewTurn("a", id="m1"), OWNER)
    before = store.sessions()
    with pytest.raises(Refused) as caught:
        add_turn(store, SESSION, NewTurn("b", id="m1"), OWNER)
    assert caught.value.code is Code.COMMIT_REJECTED
    assert store.sessions() == before


@pytest.mark.parametrize(
    ("session", "said", "kind"),
    [
        (SESSION, NewTurn("a", parent="gone"), NotFound),
        (SESSION, NewTurn("a", timestamp="soon"), InvalidRequest),
        (SESSION, NewTurn("a", id="[x]"), InvalidRequest),
        (SESSION, NewTurn("a\0"), InvalidRequest),
        (SESSION, NewTurn("a\ud800"), InvalidRequest),
        (SessionId("..", "x"), NewTurn("a"), InvalidRequest),
        (SessionId("a", "x" * 250), NewTurn("a"), InvalidRequest),
    ],
)
def test_what_no_archive_could_hold_is_refused(
    store: MemoryConversations, session: SessionId, said: NewTurn, kind: type[GitmemError]
) -> None:
    with pytest.raises(kind):
        add_turn(store, session, said, OWNER)
    assert store.sessions() == ()
