"""Every parent before its children, whatever order a file has them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from gitmem.conversations.model import SessionId
from gitmem.interop.placing import STATED_PARENT, Placing
from gitmem.interop.reading import Draft, Fault, Place, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterable

SESSION = SessionId("import", "chat")


def draft(name: str, parent: str | None, before: str | None = None, line: int = 1) -> Draft:
    return Draft(SESSION, name, parent, "user", name, Place("x", line), before=before)


def place(drafts: Iterable[Draft], known: Iterable[str] = ()) -> tuple[list[Draft], list[ReadError]]:
    taken: dict[str, None] = dict.fromkeys(known)
    placing = Placing(taken.__contains__)
    placed: list[Draft] = []
    errors: list[ReadError] = []
    for given_draft in drafts:
        for found in placing.take(given_draft):
            assert found.parent is None or found.parent in taken
            taken[found.id] = None
            placed.append(found)
    for item in placing.rest():
        if isinstance(item, ReadError):
            errors.append(item)
        else:
            assert item.parent is None or item.parent in taken
            taken[item.id] = None
            placed.append(item)
    return placed, errors


def shape(drafts: list[Draft]) -> list[tuple[str, str | None]]:
    return [(found.id, found.parent) for found in drafts]


def test_turns_in_order_pass_through() -> None:
    placed, errors = place([draft("a", None), draft("b", "a"), draft("c", "a")])
    assert (shape(placed), errors) == ([("a", None), ("b", "a"), ("c", "a")], [])


def test_a_turn_waits_for_its_parent() -> None:
    placed, errors = place([draft("d", "c"), draft("c", "b"), draft("b", "a"), draft("x", "b"), draft("a", None)])
    assert (shape(placed), errors) == ([("a", None), ("b", "a"), ("c", "b"), ("d", "c"), ("x", "b")], [])


def test_a_parent_may_be_in_the_conversation_already() -> None:
    assert shape(place([draft("b", "a")], known=["a"])[0]) == [("b", "a")]


def test_a_parent_that_is_nowhere_is_reported_and_the_turn_follows_the_one_before_it() -> None:
    placed, (error,) = place([draft("a", None), draft("b", "gone", "a", line=2), draft("c", "b")])
    assert shape(placed) == [("a", None), ("b", "a"), ("c", "b")]
    assert placed[1].metadata == {STATED_PARENT: "gone"}
    assert (error.code, error.line) == (Fault.MISSING_PARENT, 2)


def test_where_nothing_stands_before_it_the_turn_is_a_root() -> None:
    placed, (error,) = place([draft("b", "gone"), draft("c", "b")])
    assert (shape(placed), error.code) == ([("b", None), ("c", "b")], Fault.MISSING_PARENT)


def test_the_turn_before_it_may_itself_be_waiting_in_vain() -> None:
    # z's place is after b, which follows a, which follows z: then z is a root.
    placed, errors = place([draft("a", "z"), draft("b", "a", "a"), draft("z", "gone", "b", line=3)])
    assert shape(placed) == [("z", None), ("a", "z"), ("b", "a")]
    assert [error.line for error in errors] == [3]


def test_a_circle_is_cut_at_its_first_turn_and_nothing_else_is_reported() -> None:
    given_drafts = [draft("t", "y", line=1), draft("x", "y", line=2), draft("y", "x", line=3), draft("u", "t", line=4)]
    placed, (error,) = place(given_drafts)
    assert shape(placed) == [("x", None), ("y", "x"), ("t", "y"), ("u", "t")]
    assert (error.code, error.line) == (Fault.PARENT_CIRCLE, 2)


def test_a_turn_that_follows_itself_is_a_circle() -> None:
    placed, (error,) = place([draft("a", None), draft("h", "h", "a")])
    assert (shape(placed), error.code) == ([("a", None), ("h", "a")], Fault.PARENT_CIRCLE)


def test_an_id_that_comes_twice_is_given_twice() -> None:
    placed, errors = place([draft("b", "a"), draft("b", "c"), draft("c", "b"), draft("a", None)])
    assert sorted(shape(placed), key=str) == [("a", None), ("b", "a"), ("b", "c"), ("c", "b")]
    assert errors == []


@given(st.data())
def test_any_forest_in_any_order_is_placed_as_it_is(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 30))
    parents = [None] + [data.draw(st.one_of(st.none(), st.integers(0, n - 1))) for n in range(1, size)]
    drafts = [draft(f"m{n}", None if parent is None else f"m{parent}") for n, parent in enumerate(parents)]
    placed, errors = place(data.draw(st.permutations(drafts)))
    assert errors == []
    assert sorted(shape(placed), key=str) == sorted(shape(drafts), key=str)


@given(st.lists(st.tuples(st.integers(0, 9), st.one_of(st.none(), st.integers(0, 12))), max_size=25))
def test_any_nonsense_is_placed_whole(lines: list[tuple[int, int | None]]) -> None:
    drafts = []
    before = None
    for number, (name, parent) in enumerate(lines):
        drafts.append(draft(f"m{name}", None if parent is None else f"m{parent}", before, line=number))
        before = f"m{name}"
    placed, errors = place(drafts)
    assert sorted(found.place.line for found in placed) == list(range(len(lines)))  # type: ignore[type-var]
    assert len({error.line for error in errors}) == len(errors)
