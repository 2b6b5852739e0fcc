"""Choosing which statements go on record when there is not room for all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.writer.statements import joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.writer.limits import Allowance
    from gitmem.writer.statements import Statement

_SECOND_OF_A_TURN = 2.5
"""What a further block of a turn has to be better by: a record of more turns says more than one of few."""
_LONGEST_GROWN = 400


def select(statements: list[Statement], allowed: Allowance) -> list[Statement]:
    """The best statements that fit, in the order they were said.

    Where blocks are scarce, statements that got none join a chosen neighbour of their turn that tells of the same time,
    as far as the prose allowance goes.
    """
    ranked = sorted(statements, key=lambda s: (-s.score, s.turn, s.first))
    rank_in_turn: dict[int, int] = {}
    weighed = []
    for statement in ranked:
        rank = rank_in_turn.get(statement.turn, 0)
        rank_in_turn[statement.turn] = rank + 1
        weighed.append((statement.score - _SECOND_OF_A_TURN * rank, statement))
    weighed.sort(key=lambda pair: (-pair[0], pair[1].turn, pair[1].first))
    chosen: list[Statement] = []
    rest: list[Statement] = []
    prose = 0
    for _, statement in weighed:
        size = len(statement.text.encode())
        if len(chosen) < allowed.blocks and prose + size <= allowed.prose_bytes:
            chosen.append(statement)
            prose += size
        else:
            rest.append(statement)
    quoting, room = _quoting(chosen, allowed.prose_bytes - prose)
    return sorted(_grown(quoting, rest, room), key=lambda s: (s.turn, s.first))


def _quoting(chosen: Iterable[Statement], room: int) -> tuple[list[Statement], int]:
    """The chosen statements with the questions they answer, best first, while there is room; and what room is left."""
    found = []
    firsts: dict[int, int] = {}
    for statement in chosen:
        firsts[statement.turn] = min(statement.first, firsts.get(statement.turn, statement.first))
    for statement in chosen:
        begins = statement.first == firsts[statement.turn]
        whole = replace(statement, quotes=begins and statement.question is not None)
        size = len(whole.text.encode()) - len(statement.text.encode())
        taken = size <= room
        room -= size if taken else 0
        found.append(whole if taken else statement)
    return found, room


def _grown(chosen: list[Statement], rest: Iterable[Statement], room: int) -> list[Statement]:
    """The chosen statements with neighbours of their turn added, best first, while there is room."""
    by_turn: dict[int, list[Statement]] = {}
    for statement in chosen:
        by_turn.setdefault(statement.turn, []).append(statement)
    for extra in rest:
        size = len(extra.text.encode()) + 1
        if size > room:
            continue
        for place, statement in enumerate(by_turn.get(extra.turn, [])):
            if (whole := _together(statement, extra)) is not None:
                by_turn[extra.turn][place] = whole
                room -= size
                break
    return [statement for of_turn in by_turn.values() for statement in of_turn]


def _together(one: Statement, other: Statement) -> Statement | None:
    """Two neighbours as one statement; ``None`` when they do not touch or tell of different times."""
    first, second = sorted((one, other), key=lambda s: s.first)
    touching = first.last + 1 == second.first
    if not touching or first.when != second.when or len(joined((first.text, second.text))) > _LONGEST_GROWN:
        return None
    return first.followed_by(second)
