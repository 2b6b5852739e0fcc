"""An explicit head, and branches that are kept without being live."""

from __future__ import annotations

import pytest

from conversation_turns import shown
from gitmem.conversations.adding import NewTurn, add_turn
from gitmem.conversations.authority import owner_authority
from gitmem.conversations.growth import Growth
from gitmem.conversations.marks import Standing
from gitmem.conversations.model import MAIN, Branch, NodeId, SessionId, session_of
from gitmem.conversations.pending import count_pending, suffixes
from gitmem.conversations.steering import archive_branch, choose_head, find_session
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.testing.conversation_suite import OURS, SESSION, turn
from gitmem.testing.conversations import MemoryConversations

OWNER = owner_authority()
STANDING = Standing(OURS.workspace, lambda _: True)


@pytest.fixture
def store() -> MemoryConversations:
    """``m1 m2 m3``, then a retry of m2 that the conversation goes on from."""
    store = MemoryConversations()
    for name in ("m1", "m2", "m3"):
        say(store, name)
    say(store, "r2", parent="m1")
    return store


def say(store: MemoryConversations, name: str, parent: str | None = None) -> None:
    add_turn(store, SESSION, NewTurn(name, id=name, parent=parent), OWNER)


def branches(store: MemoryConversations) -> list[str]:
    """Live branches on which something waits, in the order in which they are written."""
    return [rest.branch for rest in suffixes(store, find_session(store, SESSION), STANDING)]


def test_the_head_is_the_one_that_was_chosen_and_not_the_newest(store: MemoryConversations) -> None:
    # behaviours.md 9.8
    assert shown(store) == {MAIN: "m1 r2", "m3": "m1 m2 m3"}
    session = choose_head(store, SESSION, "m3")
    assert store.turn(session.head.head).id == "m3"
    assert shown(store) == {MAIN: "m1 m2 m3", "r2": "m1 r2"}
    say(store, "m4")
    assert shown(store) == {MAIN: "m1 m2 m3 m4", "r2": "m1 r2"}
    assert branches(store) == [MAIN, "r2"]


def test_choosing_the_head_that_is_changes_nothing(store: MemoryConversations) -> None:
    before = store.sessions()
    choose_head(store, SESSION, MAIN)
    assert store.sessions() == before


def test_an_archived_branch_is_kept_and_not_pending(store: MemoryConversations) -> None:
    assert count_pending(store, STANDING, lambda _: False) == 4
    session = archive_branch(store, SESSION, "m3")
    assert shown(store) == {MAIN: "m1 r2"}
    assert [(branch.title, branch.is_archived) for branch in session.archived] == [("m3", True)]
    assert count_pending(store, STANDING, lambda _: False) == 2
    assert branches(store) == [MAIN]
    assert archive_branch(store, SESSION, "m3") == session


def test_an_archived_branch_that_is_chosen_is_live_again(store: MemoryConversations) -> None:
    archive_branch(store, SESSION, "m3")
    session = choose_head(store, SESSION, "m3")
    assert shown(store) == {MAIN: "m1 m2 m3", "r2": "m1 r2"}
    assert session.archived == ()


def test_an_archived_branch_that_grows_is_live_again(store: MemoryConversations) -> None:
    archive_branch(store, SESSION, "m3")
    say(store, "m4", parent="m3")
    assert shown(store) == {MAIN: "m1 m2 m3 m4", "r2": "m1 r2"}
    assert find_session(store, SESSION).archived == ()


def test_a_fork_from_inside_an_archived_branch_leaves_it_archived(store: MemoryConversations) -> None:
    archive_branch(store, SESSION, "m3")
    say(store, "s3", parent="m2")
    assert shown(store) == {MAIN: "m1 m2 s3", "r2": "m1 r2"}
    assert [branch.title for branch in find_session(store, SESSION).archived] == ["m3"]


def test_reading_an_export_again_wakes_no_archived_branch(store: MemoryConversations) -> None:
    archive_branch(store, SESSION, "m3")
    before = store.sessions()
    for current in ("m3", "m2"):
        with store.batch() as batch:
            growth = Growth(store, batch, SESSION, store.session(SESSION))
            for name, parent in (("m1", None), ("m2", "m1"), ("m3", "m2")):
                assert growth.has(name)
                growth.offer(turn(name, parent, content=name))
            growth.finish(current)
        assert store.sessions() == before


def test_the_branch_that_the_conversation_goes_on_from_is_not_archived(store: MemoryConversations) -> None:
    before = store.sessions()
    with pytest.raises(InvalidRequest) as caught:
        archive_branch(store, SESSION, MAIN)
    assert caught.value.code is Code.INVALID_ARGUMENT
    assert store.sessions() == before


def test_two_branches_archived_under_one_name_are_both_kept(store: MemoryConversations) -> None:
    archive_branch(store, SESSION, "m3")
    head = store.session(SESSION)
    assert head is not None
    with store.batch() as batch:
        batch.point(SESSION, "m3", batch.add(turn("x2", "m1"), head.head.head), expected=None)
    session = archive_branch(store, SESSION, "m3")
    assert sorted(store.turn(branch.head).id for branch in session.archived) == ["m3", "x2"]


def test_a_name_that_is_too_long_to_be_archived_is_shortened(store: MemoryConversations) -> None:
    long = "n" * 240
    with store.batch() as batch:
        head = find_session(store, SESSION).head.head
        batch.point(SESSION, long, batch.add(turn("x2", "r2"), head), expected=None)
    (archived,) = archive_branch(store, SESSION, long).archived
    assert (len(archived.title), store.turn(archived.head).id) == (16, "x2")


def test_a_leaf_that_is_called_like_an_archived_branch_does_not_become_one(store: MemoryConversations) -> None:
    say(store, "archived/x", parent="m1")
    say(store, "s2", parent="m1")
    found = find_session(store, SESSION)
    assert (len(found.branches), found.archived) == (4, ())


def test_what_is_not_there_is_not_found(store: MemoryConversations) -> None:
    for session, name in ((SESSION, "gone"), (SessionId("a", "b"), MAIN)):
        for act in (choose_head, archive_branch):
            with pytest.raises(NotFound) as caught:
                act(store, session, name)
            assert caught.value.code is Code.SOURCE_NOT_FOUND


def test_a_conversation_of_archived_branches_alone_has_a_head() -> None:
    found = session_of(SESSION, {"archived/a": NodeId("1"), "archived/b": NodeId("2")})
    assert found.branches == (Branch("archived/a", NodeId("1")), Branch("archived/b", NodeId("2")))
    assert found.archived == ()
