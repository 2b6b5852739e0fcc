"""Conversations grow by what is new in them; branches follow (cli.md, Inputs)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conversation_turns import shown
from gitmem.conversations.authority import owner_authority, render_authority
from gitmem.conversations.branching import leaf_digest
from gitmem.conversations.growth import Growth, Outcome
from gitmem.conversations.model import MAIN
from gitmem.format.model import TrustMetadata, TrustState
from gitmem.testing.conversation_suite import OURS, SESSION, grow_line, turn
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.format.turn import Turn

OWNER = render_authority(owner_authority())
PENDING = render_authority(TrustMetadata(TrustState.PENDING, "human", "4402", None))


@pytest.fixture
def store() -> MemoryConversations:
    return MemoryConversations()


def grow(store: MemoryConversations, turns: Iterable[Turn], current: str | None = None) -> list[Outcome]:
    with store.batch() as batch:
        growth = Growth(store, batch, SESSION, store.session(SESSION))
        outcomes = [growth.offer(given) for given in turns]
        growth.finish(current)
    return outcomes


def path(*names: str, start: str | None = None) -> list[Turn]:
    """Turns one after the other."""
    return [turn(name, before) for name, before in zip(names, (start, *names), strict=False)]


# --- known and new


def test_turns_are_added_on_main(store: MemoryConversations) -> None:
    assert grow(store, path("m1", "m2")) == [Outcome.ADDED, Outcome.ADDED]
    assert shown(store) == {MAIN: "m1 m2"}


def test_growing_by_nothing_makes_no_conversation(store: MemoryConversations) -> None:
    assert grow(store, []) == []
    assert store.sessions() == ()


def test_the_same_again_changes_nothing(store: MemoryConversations) -> None:
    turns = [*path("m1", "m2", "m3"), *path("r2", start="m1")]
    grow(store, turns, "m3")
    before = store.sessions()
    assert grow(store, turns, "m3") == [Outcome.KNOWN] * 4
    assert store.sessions() == before


def test_a_grown_reading_adds_its_new_part(store: MemoryConversations) -> None:
    grow(store, path("m1", "m2"))
    assert grow(store, path("m1", "m2", "m3")) == [Outcome.KNOWN, Outcome.KNOWN, Outcome.ADDED]
    assert shown(store) == {MAIN: "m1 m2 m3"}


def test_an_id_that_says_something_else_is_not_taken(store: MemoryConversations) -> None:
    grow(store, path("m1"))
    before = store.sessions()
    for values in ({"content": "edited"}, {"role": "assistant"}, {"timestamp": "2026-01-01"}, {"speaker_id": "1"}):
        assert grow(store, [turn("m1", **values)]) == [Outcome.CHANGED]
    assert store.sessions() == before


def test_a_new_display_name_of_the_same_speaker_is_the_same_turn(store: MemoryConversations) -> None:
    grow(store, [turn("m1", speaker_id="7391", speaker_display="Ada")])
    assert grow(store, [turn("m1", speaker_id="7391", speaker_display="Ada L.")]) == [Outcome.KNOWN]


def test_a_turn_is_found_by_its_id_as_it_will_stand(store: MemoryConversations) -> None:
    grow(store, path("m1"))
    with store.batch() as batch:
        growth = Growth(store, batch, SESSION, store.session(SESSION))
        growth.offer(turn("m2", "m1"))
        assert (growth.has("m1"), growth.has("m2"), growth.has("m3")) == (True, True, False)
        assert (growth.turn("m1"), growth.turn("m2")) == (turn("m1"), turn("m2", "m1"))
        assert growth.head == "m1"


def test_a_new_conversation_has_no_head(store: MemoryConversations) -> None:
    with store.batch() as batch:
        assert Growth(store, batch, SESSION, None).head is None


# --- branches


def test_a_fork_leaves_main_on_the_current_turn_and_names_the_other_after_its_leaf(store: MemoryConversations) -> None:
    grow(store, [*path("m1", "m2", "m3"), *path("r2", start="m1")], "m3")
    assert shown(store) == {MAIN: "m1 m2 m3", "r2": "m1 r2"}


def test_without_a_word_on_the_current_turn_main_stays_where_it_was(store: MemoryConversations) -> None:
    grow(store, path("m1", "m2"), "m2")
    grow(store, path("r2", start="m1"))
    assert shown(store) == {MAIN: "m1 m2", "r2": "m1 r2"}


def test_a_new_conversation_without_that_word_goes_on_from_the_last_turn(store: MemoryConversations) -> None:
    grow(store, [*path("m1", "m2"), *path("r2", start="m1")])
    assert shown(store) == {MAIN: "m1 r2", "m2": "m1 m2"}


def test_main_moves_to_a_retry_and_the_old_way_keeps_a_branch(store: MemoryConversations) -> None:
    grow(store, path("m1", "m2", "m3"), "m3")
    grow(store, path("r2", start="m1"), "r2")
    assert shown(store) == {MAIN: "m1 r2", "m3": "m1 m2 m3"}


def test_main_can_go_back_to_another_branch(store: MemoryConversations) -> None:
    grow(store, [*path("m1", "m2"), *path("r2", start="m1")], "r2")
    grow(store, [], "m2")
    assert shown(store) == {MAIN: "m1 m2", "r2": "m1 r2"}


def test_an_older_reading_moves_nothing_back(store: MemoryConversations) -> None:
    grow(store, path("m1", "m2", "m3"), "m3")
    before = store.sessions()
    grow(store, path("m1", "m2"), "m2")
    assert store.sessions() == before


def test_a_current_turn_inside_a_branch_makes_that_branch_main(store: MemoryConversations) -> None:
    grow(store, [*path("m1", "m2"), *path("r2", "r3", start="m1")], "m2")
    grow(store, [], "r2")
    assert shown(store) == {MAIN: "m1 r2 r3", "m2": "m1 m2"}


def test_a_branch_named_after_its_leaf_follows_it(store: MemoryConversations) -> None:
    grow(store, [*path("m1", "m2"), *path("r2", start="m1")], "m2")
    grow(store, path("r3", start="r2"), "m2")
    assert shown(store) == {MAIN: "m1 m2", "r3": "m1 r2 r3"}


def test_a_given_name_is_kept_when_its_branch_grows(store: MemoryConversations) -> None:
    grow_line(store, ["m1", "m2"], branch="topic")
    grow(store, path("m3", start="m2"), "m3")
    assert shown(store) == {MAIN: "m1 m2 m3", "topic": "m1 m2 m3"}


def test_a_fork_at_the_head_takes_main_to_the_current_turn(store: MemoryConversations) -> None:
    grow(store, path("m1"), "m1")
    grow(store, [*path("a2", start="m1"), *path("b2", start="m1")], "a2")
    assert shown(store) == {MAIN: "m1 a2", "b2": "m1 b2"}


def test_several_roots_are_several_branches(store: MemoryConversations) -> None:
    grow(store, [*path("m1", "m2"), *path("x1")], "m2")
    assert shown(store) == {MAIN: "m1 m2", "x1": "x1"}


@pytest.mark.parametrize("leaf", ["main", "MAIN", "x" * 300, "\u00e9" * 81])
def test_a_leaf_that_cannot_name_a_branch_names_it_by_its_digest(store: MemoryConversations, leaf: str) -> None:
    turns = [*path("m1", "m2"), *path(leaf, start="m1")]
    grow(store, turns, "m2")
    assert shown(store) == {MAIN: "m1 m2", leaf_digest(leaf): f"m1 {leaf}"}
    before = store.sessions()
    grow(store, turns, "m2")
    assert store.sessions() == before


def test_leaves_that_differ_only_by_case_have_a_branch_each_and_keep_it(store: MemoryConversations) -> None:
    # behaviours.md 7.11
    turns = [*path("m1", "m2"), *path("aB", start="m1"), *path("Ab", start="m1")]
    grow(store, turns, "m2")
    assert shown(store) == {MAIN: "m1 m2", "aB": "m1 aB", leaf_digest("Ab"): "m1 Ab"}
    before = store.sessions()
    grow(store, turns, "m2")
    assert store.sessions() == before


def test_only_branches_that_moved_are_pointed(store: MemoryConversations) -> None:
    grow(store, [*path("m1", "m2"), *path("r2", start="m1")], "m2")
    with store.batch() as batch:
        growth = Growth(store, batch, SESSION, store.session(SESSION))
        growth.offer(turn("m3", "m2"))
        assert growth.finish("m3") == {MAIN: "m3", "r2": "r2"}
        assert [name for _, name in batch.pointed] == [MAIN]


# --- vouching later


def test_a_pending_turn_that_is_vouched_for_later_is_raised_with_what_follows_it(store: MemoryConversations) -> None:
    given = [turn("m1", authority=OWNER), turn("m2", "m1", authority=PENDING), turn("m3", "m2", authority=OWNER)]
    fork = [turn("r3", "m2", authority=PENDING), turn("r2", "m1", authority=PENDING)]
    grow(store, [*given, *fork], "m3")
    nodes = {branch.name: branch.head for branch in store.sessions()[0].branches}
    raised = [given[0], turn("m2", "m1", authority=OWNER), given[2]]
    assert grow(store, raised, "m3") == [Outcome.KNOWN, Outcome.RAISED, Outcome.KNOWN]
    assert shown(store) == {MAIN: "m1 m2 m3", "r2": "m1 r2", "r3": "m1 m2 r3"}
    after = {branch.name: branch.head for branch in store.sessions()[0].branches}
    assert [store.turn(node) for node in store.lineage(after[MAIN])] == raised[::-1]
    assert [store.turn(node) for node in store.lineage(after["r3"])] == [fork[0], raised[1], raised[0]]
    assert after["r2"] == nodes["r2"]


def test_what_is_vouched_for_is_not_lowered_again(store: MemoryConversations) -> None:
    grow(store, [turn("m1", authority=OWNER)])
    before = store.sessions()
    assert grow(store, [turn("m1", authority=PENDING)]) == [Outcome.KNOWN]
    assert store.sessions() == before


def test_a_pending_turn_stays_pending_until_somebody_vouches(store: MemoryConversations) -> None:
    grow(store, [turn("m1", authority=PENDING)])
    before = store.sessions()
    assert grow(store, [turn("m1", authority=PENDING)]) == [Outcome.KNOWN]
    assert store.sessions() == before


def test_a_raised_turn_is_given_as_it_will_stand(store: MemoryConversations) -> None:
    grow(store, [turn("m1", authority=PENDING)])
    with store.batch() as batch:
        growth = Growth(store, batch, SESSION, store.session(SESSION))
        assert growth.is_pending("m1")
        growth.offer(turn("m1", authority=OWNER))
        assert not growth.is_pending("m1")
        assert growth.turn("m1").authority == OWNER


def test_marks_stay_with_the_turns_they_were_put_on(store: MemoryConversations) -> None:
    nodes = grow_line(store, ["m1", "m2"])
    store.mark(nodes, OURS)
    grow(store, path("m3", start="m2"), "m3")
    found = store.session(SESSION)
    assert found is not None
    assert [store.marks(node) for node in store.lineage(found.head.head)] == [(), (OURS,), (OURS,)]
