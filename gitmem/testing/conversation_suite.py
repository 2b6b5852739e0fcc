"""The conformance suite of the ``ConversationStore`` protocol: subclass it, say how to make a store, run pytest."""

# ruff: noqa: D102, PT012, S101  (a suite of tests: names state outcomes, and batches are opened where they fail)

from __future__ import annotations

import pytest

from gitmem.conversations.model import MAIN, Mark, SessionId
from gitmem.conversations.store import Batch, ConversationStore
from gitmem.errors import Code, Conflict, InvalidRequest
from gitmem.ids import Oid
from gitmem.testing.conversation_base import OURS, SESSION, THEIRS, grow_line, here, turn
from gitmem.testing.conversation_turns import TurnTests

__all__ = ["OURS", "SESSION", "THEIRS", "ConversationStoreSuite", "grow_line", "here", "turn"]


class ConversationStoreSuite(TurnTests):
    """What every store of conversations does; the names of the tests are the contract."""

    def test_a_store_has_every_method_of_the_protocol(self, store: ConversationStore) -> None:
        promised = {name for name in vars(ConversationStore) if not name.startswith("_")}
        assert promised <= set(dir(store))
        with store.batch() as batch:
            assert {name for name in vars(Batch) if not name.startswith("_")} <= set(dir(batch))

    # --- batches

    def test_nothing_is_visible_before_the_batch_ends(self, store: ConversationStore) -> None:
        with store.batch() as batch:
            batch.point(SESSION, MAIN, batch.add(turn("m1"), None), expected=None)
            assert store.sessions() == ()
        assert len(store.sessions()) == 1

    def test_a_failed_batch_leaves_nothing(self, store: ConversationStore) -> None:
        with pytest.raises(KeyError), store.batch() as batch:
            batch.point(SESSION, MAIN, batch.add(turn("m1"), None), expected=None)
            raise KeyError
        assert store.sessions() == ()

    def test_a_branch_that_moved_meanwhile_is_a_conflict_and_moves_nothing(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2"])
        before = store.sessions()
        with pytest.raises(Conflict) as caught, store.batch() as batch:
            batch.point(SESSION, "a", nodes[0], expected=None)
            batch.point(SESSION, MAIN, nodes[0], expected=nodes[0])
            batch.point(SESSION, "z", nodes[0], expected=None)
        assert caught.value.code is Code.CONCURRENT_UPDATE
        assert store.sessions() == before

    def test_the_last_word_for_a_branch_counts(self, store: ConversationStore) -> None:
        with store.batch() as batch:
            first = batch.add(turn("m1"), None)
            batch.point(SESSION, MAIN, first, expected=None)
            batch.point(SESSION, MAIN, batch.add(turn("m2", "m1"), first), expected=None)
        assert [store.turn(node).id for node in store.lineage(here(store).head.head)] == ["m2", "m1"]

    def test_a_turn_that_could_not_be_read_back_is_refused(self, store: ConversationStore) -> None:
        for content in ("a\0b", "\ud800"):
            with pytest.raises(InvalidRequest), store.batch() as batch:
                batch.point(SESSION, MAIN, batch.add(turn("m1", content=content), None), expected=None)
        assert store.sessions() == ()

    def test_a_branch_that_should_not_exist_is_a_conflict(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        with pytest.raises(Conflict), store.batch() as batch:
            batch.point(SESSION, MAIN, nodes[0], expected=None)

    def test_a_conversation_without_branches_is_gone(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        with store.batch() as batch:
            batch.point(SESSION, MAIN, None, expected=nodes[0])
        assert store.sessions() == ()
        assert store.turn(nodes[0]).id == "m1"

    def test_names_that_one_file_system_takes_for_each_other_are_refused(self, store: ConversationStore) -> None:
        # behaviours.md 7.11
        nodes = grow_line(store, ["m1"], session=SessionId("chat", "Caf\u00e9"), branch="Main2")
        before = store.sessions()
        for session, branch in (
            (SessionId("chat", "cafe\u0301"), MAIN),
            (SessionId("CHAT", "other"), MAIN),
            (SessionId("chat", "Caf\u00e9"), "main2"),
        ):
            with pytest.raises(InvalidRequest) as caught, store.batch() as batch:
                batch.point(session, branch, nodes[0], expected=None)
            assert caught.value.code is Code.INVALID_ARGUMENT
            assert store.sessions() == before

    # --- marks

    def test_a_new_turn_bears_no_mark(self, store: ConversationStore) -> None:
        assert store.marks(grow_line(store, ["m1"])[0]) == ()

    def test_marks_are_kept_for_every_turn_they_are_put_on(self, store: ConversationStore) -> None:
        # behaviours.md 0.3
        nodes = grow_line(store, ["m1", "m2", "m3"])
        store.mark(nodes[:2], OURS)
        assert [store.marks(node) for node in nodes] == [(OURS,), (OURS,), ()]

    def test_a_mark_is_on_its_turn_alone(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2", "m3"])
        store.mark(nodes[1:2], OURS)
        assert [store.marks(node) for node in nodes] == [(), (OURS,), ()]

    def test_a_mark_put_twice_is_there_once(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        store.mark(nodes, OURS)
        store.mark(nodes, OURS)
        assert store.marks(nodes[0]) == (OURS,)

    def test_marks_of_several_memories_stand_beside_each_other(self, store: ConversationStore) -> None:
        # behaviours.md 9.2
        nodes = grow_line(store, ["m1", "m2"])
        store.mark(nodes, THEIRS)
        store.mark(nodes[:1], OURS)
        assert store.marks(nodes[0]) == (OURS, THEIRS)
        assert store.marks(nodes[1]) == (THEIRS,)

    def test_every_turn_of_one_marking_bears_the_mark(self, store: ConversationStore) -> None:
        nodes = grow_line(store, [f"m{n}" for n in range(300)])
        store.mark(iter(nodes), OURS)
        assert {store.marks(node) for node in nodes} == {(OURS,)}

    def test_marks_of_several_commits_stand_in_order(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        later = Mark(OURS.workspace, Oid("2" * 40))
        for mark in (later, OURS, later):
            store.mark(nodes, mark)
        assert store.marks(nodes[0]) == (OURS, later)

    def test_marking_nothing_is_nothing(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        store.mark([], OURS)
        assert store.marks(nodes[0]) == ()

    def test_marking_moves_no_branch(self, store: ConversationStore) -> None:
        # behaviours.md 9.9
        nodes = grow_line(store, ["m1"])
        before = store.sessions()
        store.mark(nodes, OURS)
        assert store.sessions() == before

    # --- several processes

    def test_what_one_keeps_another_reads(self, store: ConversationStore, other: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2"])
        store.mark(nodes[:1], OURS)
        assert other.sessions() == store.sessions()
        assert list(other.lineage(nodes[1])) == nodes[::-1]
        assert [other.turn(node) for node in nodes] == [store.turn(node) for node in nodes]
        assert [other.marks(node) for node in nodes] == [(OURS,), ()]
        assert [step.id for step in other.outline(nodes[1])] == ["m2", "m1"]
        assert other.find(here(other), "m1") == nodes[0]

    def test_what_another_adds_meanwhile_survives_a_marking(
        self, store: ConversationStore, other: ConversationStore
    ) -> None:
        # behaviours.md 9.9
        nodes = grow_line(store, ["m1"])
        assert store.marks(nodes[0]) == ()
        with other.batch() as batch:
            batch.point(SESSION, MAIN, batch.add(turn("m2", "m1"), nodes[0]), expected=nodes[0])
        other.mark(nodes, THEIRS)
        store.mark(nodes, OURS)
        assert [store.turn(node).id for node in store.lineage(here(store).head.head)] == ["m2", "m1"]
        assert store.marks(nodes[0]) == (OURS, THEIRS)

    def test_of_two_that_move_a_branch_one_is_told(self, store: ConversationStore, other: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        with pytest.raises(Conflict), store.batch() as batch:
            batch.point(SESSION, MAIN, batch.add(turn("mine", "m1"), nodes[0]), expected=nodes[0])
            with other.batch() as theirs:
                theirs.point(SESSION, MAIN, theirs.add(turn("theirs", "m1"), nodes[0]), expected=nodes[0])
        assert here(store) == here(other)
        assert store.turn(here(store).head.head).id == "theirs"
