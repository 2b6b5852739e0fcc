"""One turn more, as it is said (cli.md, turn add)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from conversation_turns import shown
from gitmem.authority import Authority
from gitmem.conversations.adding import ROOT, NewTurn, add_turn, content_id
from gitmem.conversations.authority import authority_of, is_pending, owner_authority
from gitmem.conversations.git import GitConversations
from gitmem.conversations.model import MAIN, Session, SessionId
from gitmem.errors import Code, Conflict, GitmemError, InvalidRequest, NotFound, Refused
from gitmem.format.model import Tier
from gitmem.store.initialize import init_repository
from gitmem.store.repository import open_repository
from gitmem.testing.conversation_suite import SESSION
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

OWNER = owner_authority()
BY_OWNER = Authority(Tier.OWNER, "owner")


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
        (SESSION, NewTurn("a", role=""), InvalidRequest),
        (SESSION, NewTurn("a", role="a\nrole"), InvalidRequest),
        (SESSION, NewTurn("a", role="r" * 33), InvalidRequest),
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


# --- what is the same turn


def test_the_same_words_after_another_parent_are_another_turn(store: MemoryConversations) -> None:
    add_turn(store, SESSION, NewTurn("m1", id="m1"), OWNER)
    for answer in ("a", "b"):
        add_turn(store, SESSION, NewTurn(answer, id=answer, parent="m1"), OWNER)
        assert add_turn(store, SESSION, NewTurn("yes"), OWNER).new
    found = store.session(SESSION)
    assert found is not None
    assert [store.turn(node).content for node in store.lineage(found.head.head)] == ["yes", "b", "m1"]
    assert len(found.branches) == 2


def test_the_same_words_after_the_same_parent_are_gone_on_from(store: MemoryConversations) -> None:
    add_turn(store, SESSION, NewTurn("m1", id="m1"), OWNER)
    first = add_turn(store, SESSION, NewTurn("a", parent="m1"), OWNER)
    add_turn(store, SESSION, NewTurn("b", id="b", parent="m1"), OWNER)
    again = add_turn(store, SESSION, NewTurn("a", parent="m1"), OWNER)
    assert (again.new, again.turn, again.branch) == (False, first.turn, MAIN)
    assert shown(store) == {MAIN: f"m1 {first.turn.id}", "b": "m1 b"}


def test_a_turn_that_is_delivered_again_moves_no_head(store: MemoryConversations) -> None:
    add_turn(store, SESSION, NewTurn("m1", id="m1"), OWNER)
    for name in ("a", "b"):
        add_turn(store, SESSION, NewTurn(name, id=name, parent="m1"), OWNER)
    before = store.sessions()
    assert add_turn(store, SESSION, NewTurn("a", id="a"), OWNER).branch == "a"
    assert store.sessions() == before


def test_the_first_message_can_be_said_in_other_words(store: MemoryConversations) -> None:
    add_turn(store, SESSION, NewTurn("m1", id="m1"), OWNER)
    added = add_turn(store, SESSION, NewTurn("e1", id="e1", parent=ROOT), OWNER)
    assert added.turn.parent is None
    assert shown(store) == {MAIN: "e1", "m1": "m1"}


def test_a_turn_without_a_time_is_said_now_once(store: MemoryConversations) -> None:
    said = NewTurn("m1", id="m1", now="2026-08-09T10:00:00+08:00")
    assert add_turn(store, SESSION, said, OWNER).turn.timestamp == "2026-08-09T10:00:00+08:00"
    again = add_turn(store, SESSION, replace(said, now="2026-08-09T11:00:00+08:00"), OWNER)
    assert (again.new, again.turn.timestamp) == (False, "2026-08-09T10:00:00+08:00")
    assert add_turn(store, SESSION, NewTurn("m2", id="m2"), OWNER).turn.timestamp is None


def test_a_pending_answer_is_not_vouched_for_by_being_delivered_elsewhere(store: MemoryConversations) -> None:
    add_turn(store, SESSION, NewTurn("a", id="a", speaker_id="2", pending=True), BY_OWNER)
    add_turn(store, SESSION, NewTurn("b", id="b", role="assistant"), BY_OWNER)
    add_turn(store, SESSION, NewTurn("c", id="c"), BY_OWNER)
    for parent in (None, "c"):
        again = add_turn(store, SESSION, NewTurn("b", id="b", role="assistant", parent=parent), BY_OWNER)
        assert is_pending(again.turn)
    assert shown(store) == {MAIN: "a b c"}


def test_a_pending_turn_is_raised_by_a_hosts_word(store: MemoryConversations) -> None:
    add_turn(store, SESSION, NewTurn("a", id="a", speaker_id="2", pending=True), BY_OWNER)
    add_turn(store, SESSION, NewTurn("b", id="b"), BY_OWNER)
    raised = add_turn(store, SESSION, NewTurn("a", id="a", speaker_id="2"), OWNER)
    assert (raised.new, authority_of(raised.turn)) == (False, OWNER)
    assert shown(store) == {MAIN: "a b"}


# --- when the conversation moves meanwhile


class Interrupted(GitConversations):
    """A store on which somebody else says something after each of so many looks at the conversation."""

    def __init__(self, folder: Path, times: int) -> None:
        super().__init__(open_repository(folder, fsync=False))
        self.other = GitConversations(open_repository(folder, fsync=False))
        self.times = times

    def session(self, session: SessionId) -> Session | None:
        found = super().session(session)
        if self.times:
            self.times -= 1
            add_turn(self.other, session, NewTurn(f"other {self.times}"), OWNER)
        return found


def test_a_turn_follows_the_head_that_moved_meanwhile(tmp_path: Path) -> None:
    init_repository(tmp_path / "memory", bare=True, fsync=False)
    store = Interrupted(tmp_path / "memory", 2)
    assert add_turn(store, SESSION, NewTurn("mine", id="mine"), OWNER).new
    found = store.session(SESSION)
    assert found is not None
    assert [store.turn(node).content for node in store.lineage(found.head.head)] == ["mine", "other 0", "other 1"]


def test_a_conversation_that_keeps_moving_is_a_conflict(tmp_path: Path) -> None:
    init_repository(tmp_path / "memory", bare=True, fsync=False)
    with pytest.raises(Conflict) as caught:
        add_turn(Interrupted(tmp_path / "memory", 20), SESSION, NewTurn("mine", id="mine"), OWNER)
    assert caught.value.code is Code.CONCURRENT_UPDATE
