"""The best statements that fit are chosen, from as many turns as possible."""

from __future__ import annotations

from gitmem.writer.limits import Allowance
from gitmem.writer.selection import select
from gitmem.writer.statements import Statement

ROOM = 10_000


def stated(turn: int, ordinal: int, score: float, text: str = "A fact.", when: str = "2023-05-08") -> Statement:
    return Statement(turn, ordinal, ordinal, (text,), when, names_time=False, score=score)


def test_the_best_are_chosen_and_stand_in_the_order_they_were_said() -> None:
    one, two, three = stated(0, 0, 1), stated(1, 0, 3), stated(2, 0, 2)
    assert select([one, two, three], Allowance(2, ROOM)) == [two, three]
    assert select([one, two, three], Allowance(3, ROOM)) == [one, two, three]
    assert select([one, two, three], Allowance(0, ROOM)) == []


def test_equals_are_chosen_in_the_order_they_were_said() -> None:
    assert select([stated(0, 0, 1), stated(1, 0, 1)], Allowance(1, ROOM)) == [stated(0, 0, 1)]


def test_another_turn_comes_before_a_second_block_of_one() -> None:
    best, second, other = stated(0, 0, 4), stated(0, 5, 3), stated(1, 0, 1)
    assert select([best, second, other], Allowance(2, ROOM)) == [best, other]


def test_what_does_not_fit_makes_way_for_what_does() -> None:
    long, short = stated(0, 0, 4, "x" * 50), stated(1, 0, 1, "x" * 10)
    assert select([long, short], Allowance(2, 20)) == [short]


def test_neighbours_without_a_block_of_their_own_join_one() -> None:
    (whole,) = select([stated(0, 0, 2, "One."), stated(0, 1, 3, "Two.")], Allowance(1, ROOM))
    assert (whole.text, whole.first, whole.last, whole.score) == ("One. Two.", 0, 1, 3)
    (whole,) = select([stated(0, 0, 2, "一。"), stated(0, 1, 3, "二。")], Allowance(1, ROOM))
    assert whole.text == "一。二。"


def test_they_do_not_join_across_a_gap_a_time_or_a_limit() -> None:
    best = stated(0, 1, 3, "Two.")
    assert select([best, stated(0, 3, 2)], Allowance(1, ROOM)) == [best]
    assert select([best, stated(0, 2, 2, when="2020")], Allowance(1, ROOM)) == [best]
    assert select([best, stated(0, 2, 2, "x" * 400)], Allowance(1, ROOM)) == [best]
    assert select([best, stated(0, 2, 2, "Three.")], Allowance(1, 8)) == [best]
