"""The conformance suite of the ``ConversationStore`` protocol: subclass it, say how to make a store, run pytest."""

# ruff: noqa: D102, PT012, S101  (a suite of tests: names state outcomes, and batches are opened where they fail)

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from gitmem.conversations.model import MAIN, Mark, NodeId, SessionId
from gitmem.conversations.store import Batch, ConversationStore
from gitmem.errors import Code, Conflict, InvalidRequest, NotFound
from gitmem.format.turn import Turn
from gitmem.ids import Oid, WorkspaceId

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SESSION = SessionId("telegram", "g1")
OURS = Mark(WorkspaceId("w-00000001"), Oid("1" * 40))
THEIRS = Mark(WorkspaceId("w-00000002"), Oid("2" * 40))


def turn(name: str, parent: str | None = None, *, session: SessionId = SESSION, **values: object) -> Turn:
    """A turn that says its own id."""
    fields: dict[str, object] = {"role": "user", "content": f"this is {name}", **values}
    return Turn(provider=session.provider, thread=session.thread, id=name, parent=parent, **fields)  # type: ignore[arg-type]


def grow_line(
    store: ConversationStore, names: Iterable[str], *, session: SessionId = SESSION, branch: str = MAIN
) -> list[NodeId]:
    """Keep turns one after the other on a new branch; their nodes, oldest first."""
    nodes: list[NodeId] = []
    before: str | None = None
    with store.batch() as batch:
        for name in names:
            nodes.append(batch.add(turn(name, before, session=session), nodes[-1] if nodes else None))
            before = name
        batch.point(session, branch, nodes[-1], expected=None)
    return nodes


class ConversationStoreSuite(ABC):
    """What every store of conversations does; the names of the tests are the contract."""

    @abstractmethod
    def make(self, folder: Path) -> ConversationStore:
        """Make an empty store; ``folder`` is empty and the store's own."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> ConversationStore:
        return self.make(tmp_path)

    def test_a_store_has_every_method_of_the_protocol(self, store: ConversationStore) -> None:
        promised = {name for name in vars(ConversationStore) if not name.startswith("_")}
        assert promised <= set(dir(store))
        with store.batch() as batch:
            assert {name for name in vars(Batch) if not name.startswith("_")} <= set(dir(batch))

    # --- turns and branches

    def test_an_empty_store_has_no_conversations(self, store: ConversationStore) -> None:
        assert store.sessions() == ()
        assert store.session(SESSION) is None

    def test_a_turn_comes_back_as_it_was_given(self, store: ConversationStore) -> None:
        given = turn(
            "m1",
            content='two\r\nlines  \n\u2028\u00e9\ttab \U0001f600 and \\ " quotes\n',
            timestamp="2026-08-09T10:00:00+08:00",
            speaker_id="73-91",
            speaker_display="Ada <[:]>",
            authority={"authority_tier": "owner", "principal_id": "owner"},
            display="runtime",
            source="job_followup",
            metadata={"b": [1, {"c": None}], "a": 0.5},
        )
        with store.batch() as batch:
            node = batch.add(given, None)
            assert store.turn(node) == given
        assert store.turn(node) == given

    def test_a_branch_leads_from_its_head_to_the_root(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2", "m3"])
        found = store.session(SESSION)
        assert found is not None
        assert found.head.name == MAIN
        assert list(store.lineage(found.head.head)) == nodes[::-1]
        assert [store.turn(node).id for node in nodes] == ["m1", "m2", "m3"]

    def test_a_lineage_is_read_as_far_as_it_is_asked_for(self, store: ConversationStore) -> None:
        nodes = grow_line(store, [f"m{n}" for n in range(50)])
        assert list(islice(store.lineage(nodes[-1]), 2)) == [nodes[-1], nodes[-2]]

    def test_a_fork_shares_what_comes_before_it(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2"])
        with store.batch() as batch:
            fork = batch.add(turn("m3", "m1"), nodes[0])
            batch.point(SESSION, "retry", fork, expected=None)
        assert list(store.lineage(fork)) == [fork, nodes[0]]
        assert list(store.lineage(nodes[1])) == [nodes[1], nodes[0]]

    def test_main_comes_first_and_the_other_branches_by_name(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"], branch="zeta")
        with store.batch() as batch:
            batch.point(SESSION, "alpha", nodes[0], expected=None)
            batch.point(SESSION, MAIN, nodes[0], expected=None)
        found = store.session(SESSION)
        assert found is not None
        assert [branch.name for branch in found.branches] == [MAIN, "alpha", "zeta"]
        assert found.branch("zeta") == found.branches[2]
        assert found.branch("beta") is None

    def test_conversations_come_by_provider_and_thread(self, store: ConversationStore) -> None:
        names = [SessionId("b", "1"), SessionId("a", "2"), SessionId("a", "1"), SessionId("a.b", "\u00fc~ 1%2F")]
        for name in names:
            grow_line(store, ["m1"], session=name)
        assert [found.id for found in store.sessions()] == sorted(names)
        assert all(store.session(name) in store.sessions() for name in names)

    def test_the_same_turn_in_the_same_place_is_the_same_node(self, store: ConversationStore) -> None:
        with store.batch() as batch:
            root = batch.add(turn("m1"), None)
            assert batch.add(turn("m1"), None) == root
            assert batch.add(turn("m2", "m1"), root) == batch.add(turn("m2", "m1"), root)

    def test_another_place_or_another_word_is_another_node(self, store: ConversationStore) -> None:
        with store.batch() as batch:
            root = batch.add(turn("m1"), None)
            nodes = [
                root,
                batch.add(turn("m1", content="edited"), None),
                batch.add(turn("m1", session=SessionId("telegram", "g2")), None),
                batch.add(turn("m2", "m1"), root),
                batch.add(turn("m2", "m1"), batch.add(turn("m1", content="edited"), None)),
                batch.add(turn("m1", metadata={"n": 1}), None),
            ]
        assert len(set(nodes)) == len(nodes)

    def test_an_unknown_node_is_not_found(self, store: ConversationStore) -> None:
        with pytest.raises(NotFound) as caught:
            store.turn(NodeId("0" * 40))
        assert caught.value.code is Code.SOURCE_NOT_FOUND

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

    def test_marking_nothing_is_nothing(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        store.mark([], OURS)
        assert store.marks(nodes[0]) == ()

    def test_marking_moves_no_branch(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1"])
        before = store.sessions()
        store.mark(nodes, OURS)
        assert store.sessions() == before
