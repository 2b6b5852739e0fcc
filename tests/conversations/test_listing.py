"""What conversations there are, and what of them is written (cli.md, turn list and turn branches)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.conversations.listing import BranchAnswer, BranchesAnswer, BranchSummary, Listing, SessionSummary
from gitmem.conversations.marks import Standing
from gitmem.conversations.model import MAIN, Session, SessionId
from gitmem.conversations.steering import archive_branch
from gitmem.ids import SourceId
from gitmem.testing.conversation_suite import OURS, SESSION, grow_line, turn
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.conversations.listing import TurnsAnswer

STANDING = Standing(OURS.workspace, lambda _: True)


def nothing(_: SourceId) -> bool:
    return False


def listing(store: MemoryConversations, archived: Callable[[SourceId], bool] = nothing) -> Listing:
    return Listing(store, STANDING, archived)


def conversation(store: MemoryConversations) -> Session:
    """``m1 m2 m3``, of which m1 is written, and ``m1 r2`` where r2 is a tool's."""
    nodes = grow_line(store, ["m1", "m2", "m3"])
    with store.batch() as batch:
        fork = batch.add(turn("r2", "m1", role="tool"), nodes[0])
        batch.point(SESSION, "r2", fork, expected=None)
    store.mark(nodes[:1], OURS)
    found = store.session(SESSION)
    assert found is not None
    return found


def told(answer: TurnsAnswer) -> list[tuple[str, bool, bool]]:
    return [(item.id, item.eligible, item.written) for item in answer.turns]


def test_branches_are_counted_with_what_is_still_to_be_written() -> None:
    store = MemoryConversations()
    session = conversation(store)
    summary = SessionSummary("telegram/g1", (BranchSummary(MAIN, "m3", 3, 2), BranchSummary("r2", "r2", 2, 0)))
    assert listing(store).session(session) == summary
    assert listing(store).sessions().sessions == (summary,)


def test_a_shared_prefix_that_waits_is_counted_on_every_branch() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2", "m3", "m4"])
    with store.batch() as batch:
        for name in ("r3", "s3"):
            batch.point(SESSION, name, batch.add(turn(name, "m2"), nodes[1]), expected=None)
        batch.point(SESSION, "early", nodes[2], expected=None)
    store.mark(nodes[:1], OURS)
    (found,) = listing(store).sessions().sessions
    assert {branch.name: branch.pending for branch in found.branches} == {MAIN: 3, "early": 2, "r3": 2, "s3": 2}


def test_conversations_of_which_nothing_waits_can_be_left_out() -> None:
    store = MemoryConversations()
    conversation(store)
    written = SessionId("telegram", "g2")
    store.mark(grow_line(store, ["m1"], session=written), OURS)
    assert [found.session for found in listing(store).sessions().sessions] == ["telegram/g1", "telegram/g2"]
    assert [found.session for found in listing(store).sessions(unwritten=True).sessions] == ["telegram/g1"]


def test_turns_are_listed_oldest_first_with_what_became_of_them() -> None:
    store = MemoryConversations()
    session = conversation(store)
    archived = {SourceId("telegram/g1/m2")}.__contains__
    found = listing(store, archived).turns(SESSION, session.head)
    assert (found.session, found.branch) == ("telegram/g1", MAIN)
    assert told(found) == [("m1", True, True), ("m2", True, True), ("m3", True, False)]
    assert told(listing(store, archived).turns(SESSION, session.head, unwritten=True)) == [("m3", True, False)]
    retry = session.branch("r2")
    assert retry is not None
    assert told(listing(store).turns(SESSION, retry)) == [("m1", True, True), ("r2", False, False)]
    assert told(listing(store).turns(SESSION, retry, unwritten=True)) == []


def test_an_archived_branch_is_listed_as_such_and_nothing_of_it_is_pending() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2"])
    with store.batch() as batch:
        batch.point(SESSION, "r2", batch.add(turn("r2", "m1"), nodes[0]), expected=None)
    session = archive_branch(store, SESSION, "r2")
    assert [branch.name for branch in listing(store).session(session).branches] == [MAIN]
    assert listing(store).branches(session) == BranchesAnswer(
        "telegram/g1",
        "m2",
        (BranchAnswer(MAIN, "m2", 2, 2, archived=False), BranchAnswer("r2", "r2", 2, 0, archived=True)),
    )
    retry = session.branch("r2")
    assert retry is not None
    found = listing(store).turns(SESSION, retry)
    assert (found.branch, told(found)) == ("r2", [("m1", True, False), ("r2", True, False)])
