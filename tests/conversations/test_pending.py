"""Which turns are still to be written (behaviours.md 0.16, 9.2 to 9.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.conversations.marks import Standing
from gitmem.conversations.model import MAIN, Mark, NodeId, Session, SessionId
from gitmem.conversations.pending import (
    count_pending,
    handle_of,
    pending,
    pending_turns,
    suffix,
    suffixes,
)
from gitmem.conversations.speaking import is_eligible
from gitmem.ids import Oid, SourceId, WorkspaceId
from gitmem.testing.conversation_suite import OURS, SESSION, THEIRS, grow_line, turn
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERY_COMMIT = Standing(OURS.workspace, lambda _: True)


def nothing(_: SourceId) -> bool:
    return False


def session_of(store: MemoryConversations) -> Session:
    found = store.session(SESSION)
    assert found is not None
    return found


def waiting(store: MemoryConversations, standing: Standing = EVERY_COMMIT) -> list[tuple[str, int, str]]:
    """What is to be written: branch, ordinal, id."""
    return [
        (rest.branch, found.ordinal, found.turn.id)
        for rest, found in pending(store, session_of(store), standing, nothing)
    ]


def fork(store: MemoryConversations, node: NodeId, branch: str, *names: str) -> list[NodeId]:
    """Go on from a node on a branch of its own."""
    nodes = [node]
    with store.batch() as batch:
        for name in names:
            nodes.append(batch.add(turn(name, store.turn(nodes[-1]).id), nodes[-1]))
        batch.point(SESSION, branch, nodes[-1], expected=None)
    return nodes[1:]


# --- what is a turn to write (9.4)


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_what_somebody_said_is_written(role: str) -> None:
    assert is_eligible(turn("m1", role=role))


@pytest.mark.parametrize("role", ["tool", "system", "developer", "User", ""])
def test_the_machinery_of_a_turn_is_not_written(role: str) -> None:
    assert not is_eligible(turn("m1", role=role))


@pytest.mark.parametrize("content", ["", " ", "\n\t\r\n", "\u2028\u3000"])
def test_a_turn_without_text_is_not_written(content: str) -> None:
    assert not is_eligible(turn("m1", content=content))


@pytest.mark.parametrize("values", [{"display": "runtime"}, {"source": "job_followup"}, {"source": "merge_turn"}])
def test_what_the_runtime_said_to_itself_is_not_written(values: dict[str, str]) -> None:
    assert not is_eligible(turn("m1", **values))


def test_other_displays_and_sources_are_written() -> None:
    assert is_eligible(turn("m1", display="inline", source="channel"))


def test_ordinals_keep_the_places_of_turns_that_are_not_written() -> None:  # behaviours.md 9.4
    store = MemoryConversations()
    with store.batch() as batch:
        node: NodeId | None = None
        before: str | None = None
        for name, role in [("m1", "user"), ("m2", "tool"), ("m3", "assistant"), ("m4", "tool"), ("m5", "user")]:
            node = batch.add(turn(name, before, role=role), node)
            before = name
        batch.point(SESSION, MAIN, node, expected=None)
    assert waiting(store) == [(MAIN, 0, "m1"), (MAIN, 2, "m3"), (MAIN, 4, "m5")]


def test_the_handle_is_provider_thread_and_message() -> None:
    assert handle_of(turn("m1")) == "telegram/g1/m1"


# --- what follows the newest mark (9.2, 9.3)


def test_an_unmarked_branch_is_pending_from_its_root() -> None:
    store = MemoryConversations()
    grow_line(store, ["m1", "m2", "m3"])
    assert waiting(store) == [(MAIN, 0, "m1"), (MAIN, 1, "m2"), (MAIN, 2, "m3")]


def test_what_follows_the_newest_mark_is_pending_with_its_ordinals() -> None:  # behaviours.md 9.3
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2", "m3", "m4"])
    store.mark(nodes[1:2], OURS)
    assert waiting(store) == [(MAIN, 2, "m3"), (MAIN, 3, "m4")]


def test_nothing_follows_a_mark_on_the_head() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2"])
    store.mark(nodes[1:], OURS)
    assert waiting(store) == []
    assert suffixes(store, session_of(store), EVERY_COMMIT) == ()


def test_marks_of_another_workspace_are_ignored() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2"])
    store.mark(nodes, THEIRS)
    assert len(waiting(store)) == 2


def test_a_mark_whose_commit_is_no_longer_part_of_the_memory_is_ignored() -> None:
    # behaviours.md 0.16
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2", "m3"])
    store.mark(nodes[:2], Mark(OURS.workspace, Oid("d" * 40)))
    store.mark(nodes[:1], OURS)
    assert waiting(store, Standing(OURS.workspace, lambda commit: commit == OURS.commit)) == [
        (MAIN, 1, "m2"),
        (MAIN, 2, "m3"),
    ]
    assert len(waiting(store, Standing(WorkspaceId("w-00000009"), lambda _: True))) == 3


def test_a_fork_of_a_marked_turn_is_pending_in_full() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2", "m3"])
    store.mark(nodes, OURS)
    fork(store, nodes[0], "retry", "r2", "r3")
    assert waiting(store) == [("retry", 1, "r2"), ("retry", 2, "r3")]


def test_one_branch_alone_is_pending_with_what_it_shares() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2"])
    fork(store, nodes[0], "retry", "r2")
    branch = session_of(store).branch("retry")
    assert branch is not None
    found = suffix(store, SESSION, branch, EVERY_COMMIT)
    assert (found.start, [store.turn(node).id for node in found.nodes]) == (0, ["m1", "r2"])


# --- several branches (9.7, 9.8)


def test_a_shared_prefix_is_pending_once_on_the_current_branch() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2", "m3"])
    fork(store, nodes[1], "a-first-by-name", "r3", "r4")
    fork(store, nodes[1], "z", "z3")
    assert waiting(store) == [
        (MAIN, 0, "m1"),
        (MAIN, 1, "m2"),
        (MAIN, 2, "m3"),
        ("a-first-by-name", 2, "r3"),
        ("a-first-by-name", 3, "r4"),
        ("z", 2, "z3"),
    ]


def test_a_branch_inside_another_adds_nothing() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2"])
    fork(store, nodes[0], "inside")
    assert [rest.branch for rest in suffixes(store, session_of(store), EVERY_COMMIT)] == [MAIN]


def test_pending_turns_are_counted_over_all_conversations() -> None:
    # behaviours.md 12.2
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2"])
    fork(store, nodes[0], "retry", "r2")
    grow_line(store, ["m1"], session=SessionId("telegram", "g2"))
    assert count_pending(store, EVERY_COMMIT, nothing) == 4


# --- what a crash left (0.16)


def test_a_turn_that_a_writer_archived_counts_as_written_without_its_mark() -> None:
    store = MemoryConversations()
    nodes = grow_line(store, ["m1", "m2", "m3"])
    branch = session_of(store).head
    rest = suffix(store, SESSION, branch, EVERY_COMMIT)
    found = pending_turns(store, rest, {SourceId("telegram/g1/m1"), SourceId("telegram/g1/m2")}.__contains__)
    assert [(item.node, item.ordinal, item.handle) for item in found] == [(nodes[2], 2, "telegram/g1/m3")]


# --- cost


class Counting(MemoryConversations):
    """Counts what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def turn(self, node: NodeId):  # type: ignore[no-untyped-def]  # noqa: ANN201 - as in the double
        self.reads += 1
        return super().turn(node)

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        for step in super().lineage(node):
            self.reads += 1
            yield step


def test_a_written_conversation_costs_a_look_at_the_marks_of_its_head() -> None:
    store = Counting()
    nodes = grow_line(store, [f"m{n}" for n in range(1000)])
    store.mark(nodes, OURS)
    store.reads = 0
    assert count_pending(store, EVERY_COMMIT, nothing) == 0
    assert store.reads == 0


def test_turns_are_read_as_they_are_asked_for() -> None:
    store = Counting()
    grow_line(store, [f"m{n}" for n in range(100)])
    rest = suffix(store, SESSION, session_of(store).head, EVERY_COMMIT)
    store.reads = 0
    found = pending_turns(store, rest, nothing)
    assert [next(found).ordinal for _ in range(3)] == [0, 1, 2]
    assert store.reads == 3
