"""The stretches of time that a topic is cut into: years, quarters, months and days, named for files."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

UNDATED = "undated"
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
_NAME = re.compile(r"(?:undated|\d{4}(?:-q[1-4]|-\d\d(?:-\d\d)?)?)(?:-part-(\d+))?", re.ASCII)
_FINEST = 3

Item = TypeVar("Item")


class Cell(NamedTuple, Generic[Item]):
    """What belongs to one stretch of time, in file order; ``key`` sorts stretches, what has no time last."""

    key: tuple[str, int]
    name: str
    items: tuple[Item, ...]


def is_time(title: str) -> bool:
    """Whether a heading names a time rather than a subject: ``2024``, ``2024-03``, ``2024-03-05`` or ``Undated``."""
    return _DATE.fullmatch(title) is not None or title.casefold() == UNDATED


def is_cell_name(name: str) -> bool:
    """Whether a file's name, without ``.md``, is that of a stretch of time."""
    return _NAME.fullmatch(name) is not None


def part_number(name: str) -> tuple[str, int]:
    """A stretch's name without its number, and the number: ``2024-part-3`` is the third file of ``2024``."""
    stem, mark, number = name.partition("-part-")
    return stem, int(number) if mark else 1


def part_name(name: str, number: int) -> str:
    """The name of the ``number``th file of a stretch, from 1."""
    return name if number == 1 else f"{name}-part-{number}"


def cells(
    items: Sequence[Item], when: Callable[[Item], str | None], size: Callable[[Item], int], room: int
) -> list[Cell[Item]]:
    """Cut items into stretches of time of at most ``room``, each as long as fits, the oldest first, undated ones last.

    ``when`` gives ``YYYY``, ``YYYY-MM``, ``YYYY-MM-DD`` or ``None``. What a single day, or a time that is known no
    better, holds too much of is cut in file order. Only an item that is too large by itself makes a larger stretch.
    """
    return sorted(_refined(items, when, size, room, 0), key=lambda cell: cell.key)


def _refined(
    items: Sequence[Item],
    when: Callable[[Item], str | None],
    size: Callable[[Item], int],
    room: int,
    level: int,
) -> list[Cell[Item]]:
    found: list[Cell[Item]] = []
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[_name(when(item), level)].append(item)
    for name, group in groups.items():
        if sum(map(size, group)) <= room:
            found.append(_cell(name, 1, group))
        elif level < _FINEST and name != UNDATED:
            found += _refined(group, when, size, room, level + 1)
        else:
            found += [_cell(name, number, part) for number, part in enumerate(chunks(group, size, room), 1)]
    return found


def chunks(items: Sequence[Item], size: Callable[[Item], int], room: int) -> list[list[Item]]:
    """Items in their order, in groups that fit."""
    groups: list[list[Item]] = []
    filled = room
    for item in items:
        filled += size(item)
        if filled > room:
            groups.append([])
            filled = size(item)
        groups[-1].append(item)
    return groups


def _cell(name: str, number: int, items: Sequence[Item]) -> Cell[Item]:
    return Cell((_sorting(name), number), part_name(name, number), tuple(items))


def _sorting(name: str) -> str:
    """A quarter stands where its first month does."""
    year, mark, quarter = name.partition("-q")
    return f"{year}-{int(quarter) * 3 - 2:02}" if mark else name.replace(UNDATED, "9999~")


def _name(when: str | None, level: int) -> str:
    """The stretch that a time belongs to at a level; what is known no better keeps the name it has."""
    found = _DATE.fullmatch(when or "")
    if found is None:
        return UNDATED
    year, month, day = found.groups()
    if level == 0 or month is None:
        return year
    if level == 1:
        return f"{year}-q{(int(month) + 2) // 3}"
    return f"{year}-{month}" if level == 2 or day is None else f"{year}-{month}-{day}"  # noqa: PLR2004  (levels)
