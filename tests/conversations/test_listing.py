"""What conversations there are (cli.md, turn list)."""

from __future__ import annotations

from gitmem.conversations.listing import BranchSummary, SessionSummary, list_turns, summarize
from gitmem.conversations.marks import Standing
from gitmem.conversations.model import MAIN, Session
from gitmem.ids import SourceId
from gitmem.testing.conversation_suite import OURS, SESSION, grow_line, turn
from gitmem.testing.conversations import MemoryConversations

STANDING = Standing(OURS.workspace, lambda _: True)


def nothing(_: SourceId) -> bool:
    return False


def conversation(store: MemoryConversations) -> Session:
    nodes = grow_line(store, ["m1", "m2", "m3"])
    with store.batch() as batch:
        fork = batch.add(turn("r2", "m1", role="tool"), nodes[0])
        batch.point(SESSION, "r2", fork, expected=None)
    store.mark(nodes[:1], OURS)
    found = store.session(SESSION)
    assert found is not None
    return found


def test_branches_are_counted_with_what_is_still_to_be_written() -> None:
    store = MemoryConversations()
    session = conversation(store)
    branches = (BranchSummary(MAIN, "m3", 3, 2), BranchSummary("r2", "r2", 2, 0))
    assert summarize(store, session, STANDING, nothing) == SessionSummary("telegram/g1", branches)


def test_turns_are_listed_oldest_first_with_what_became_of_them() -> None:
    store = MemoryConversations()
    session = conversation(store)
    found = list_turns(store, session.head, STANDING, {SourceId("telegram/g1/m2")}.__contains__)
    assert [(item.turn.id, item.eligible, item.written) for item in found] == [
        ("m1", True, True), ("m2", True, True), ("m3", True, False),
    ]  # fmt: skip
    retry = session.branch("r2")
    assert retry is not None
    assert [(item.turn.id, item.eligible, item.written) for item in list_turns(store, retry, STANDING, nothing)] == [
        ("m1", True, True), ("r2", False, False),
    ]  # fmt: skip
