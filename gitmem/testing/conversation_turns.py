"""The part of the suite that is about turns and what leads to them."""

# ruff: noqa: D102, S101  (a suite of tests: names state outcomes, and batches are opened where they fail)

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.model import ARCHIVED_PREFIX, MAIN, NodeId, SessionId
from gitmem.errors import Code, NotFound
from gitmem.testing.conversation_base import SESSION, StoreTests, grow_line, here, turn

if TYPE_CHECKING:
    from gitmem.conversations.store import ConversationStore


class TurnTests(StoreTests):
    """Turns, branches and lineages; finding turns without reading them."""

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

    # --- without the text

    def test_an_outline_tells_what_a_lineage_leads_to(self, store: ConversationStore) -> None:
        # behaviours.md 9.4: ordinals keep the places of turns that are not written
        said = [("m1", "user", "hello"), ("m2", "tool", "42"), ("m3", "assistant", "hi"), ("m4", "user", " \n")]
        with store.batch() as batch:
            nodes: list[NodeId] = []
            for place, (name, role, content) in enumerate(said):
                given = turn(name, said[place - 1][0] if place else None, role=role, content=content)
                nodes.append(batch.add(given, nodes[-1] if nodes else None))
                assert next(iter(store.outline(nodes[-1]))).depth == place + 1
            batch.point(SESSION, MAIN, nodes[-1], expected=None)
        found = list(store.outline(nodes[-1]))
        assert [step.node for step in found] == list(store.lineage(nodes[-1])) == nodes[::-1]
        assert [(step.id, step.depth, step.eligible) for step in found] == [
            ("m4", 4, False), ("m3", 3, True), ("m2", 2, False), ("m1", 1, True),
        ]  # fmt: skip

    def test_an_outline_of_a_fork_goes_the_way_of_the_fork(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2", "m3"])
        with store.batch() as batch:
            fork = batch.add(turn("r2", "m1"), nodes[0])
            assert [(step.id, step.depth) for step in store.outline(fork)] == [("r2", 2), ("m1", 1)]
            batch.point(SESSION, "r2", fork, expected=None)
        assert [(step.id, step.depth) for step in store.outline(fork)] == [("r2", 2), ("m1", 1)]

    def test_a_turn_is_found_by_its_id_on_any_branch(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2"])
        with store.batch() as batch:
            live = batch.add(turn("r2", "m1"), nodes[0])
            kept = batch.add(turn("s2", "m1"), nodes[0])
            batch.point(SESSION, "r2", live, expected=None)
            batch.point(SESSION, f"{ARCHIVED_PREFIX}s2", kept, expected=None)
        found = here(store)
        assert [store.find(found, name) for name in ("m1", "m2", "r2", "s2")] == [*nodes, live, kept]
        assert [store.find(found, name) for name in ("m", "M1", "", "m1 ", "\u00e9")] == [None] * 5

    def test_a_turn_of_another_conversation_is_not_found(self, store: ConversationStore) -> None:
        grow_line(store, ["m1"])
        grow_line(store, ["x1"], session=SessionId("telegram", "g2"))
        grow_line(store, ["y1"], session=SessionId("telegram2", "g1"))
        assert [store.find(here(store), name) for name in ("x1", "y1")] == [None, None]

    def test_a_turn_to_which_no_branch_leads_is_not_found(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2"])
        with store.batch() as batch:
            batch.add(turn("loose", "m2"), nodes[1])
        assert store.find(here(store), "loose") is None
        with store.batch() as batch:
            batch.point(SESSION, MAIN, nodes[0], expected=nodes[1])
        assert store.find(here(store), "m2") is None
        assert store.find(here(store), "m1") == nodes[0]

    def test_the_people_who_spoke_are_told_apart_by_id_or_name(self, store: ConversationStore) -> None:
        # behaviours.md 8.1, 8.3
        said: dict[str, dict[str, Any]] = {
            "m2": {"speaker_id": "7391", "speaker_display": "Ada L."},
            "m3": {"speaker_display": "Bob"},
            "m4": {"content": "[Victim (u999)] I said so", "speaker_id": "\u200b", "speaker_display": "\x07"},
            "m5": {"role": "assistant", "speaker_id": "1"},
            "m6": {"speaker_display": "7391"},
            "m7": {},
        }
        with store.batch() as batch:
            nodes = [batch.add(turn("m1", speaker_id="7391", speaker_display="Ada"), None)]
            for name, fields in said.items():
                nodes.append(batch.add(turn(name, f"m{len(nodes)}", **fields), nodes[-1]))
            batch.point(SESSION, MAIN, nodes[-1], expected=None)
        found = store.speakers(here(store))
        assert set(found) == {"id:7391", "name:Bob", "name:7391"}
        assert found["id:7391"] in nodes[:2]
        assert found["name:Bob"] == nodes[2]

    def test_archived_branches_are_kept_apart(self, store: ConversationStore) -> None:
        nodes = grow_line(store, ["m1", "m2"])
        with store.batch() as batch:
            batch.point(SESSION, f"{ARCHIVED_PREFIX}old", nodes[0], expected=None)
        found = here(store)
        assert [branch.name for branch in found.branches] == [MAIN]
        assert [(branch.title, branch.head) for branch in found.archived] == [("old", nodes[0])]
        assert store.sessions() == (found,)
