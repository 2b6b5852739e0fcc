"""Which paragraphs of a file that is too large go where: by subject, then by time.

What leaves ``topics/x.md`` goes into files of the folder ``topics/x``: one for each subject, the largest first, until
the rest fits; what is of one subject into one for each stretch of time, the newest staying. Part of a file that is
itself such a stretch goes beside it.
"""

from __future__ import annotations

import hashlib
import posixpath
from typing import TYPE_CHECKING, NamedTuple

from gitmem.ids import TopicPath
from gitmem.writer.organize_calendar import cells, is_cell_name, is_time, part_name, part_number
from gitmem.writer.people import slug

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.writer.organize_calendar import Cell
    from gitmem.writer.organize_units import Unit


class Sizes(NamedTuple):
    """Characters of a file: up to ``largest`` it is left as it is, and a part of it is filled up to ``room``.

    The difference is for the headings that lead to a part's paragraphs. ``kept`` stays in a file of one subject, so
    that it can grow again.
    """

    largest: int = 24_000
    room: int = 22_000
    kept: int = 12_000


SIZES = Sizes()

Parts = dict[TopicPath, list["Unit"]]
"""Paragraphs by the file they go into, each list in file order."""


class Division:
    """Where the paragraphs of one file go.

    ``when`` tells a paragraph's time. ``takes`` says whether a path can take paragraphs under a first heading: that it
    is free, or holds others of that heading.
    """

    def __init__(
        self,
        when: Callable[[Unit], str | None],
        takes: Callable[[TopicPath, tuple[str, ...]], bool],
        sizes: Sizes = SIZES,
    ) -> None:
        """Know the times of paragraphs and the files that there are."""
        self._when, self._takes, self._sizes = when, takes, sizes

    def parts(self, path: TopicPath, loose: Sequence[Unit], rest: int, *, stands: bool) -> Parts:
        """Every file that gets some of the ``loose`` paragraphs, ``path`` with what stays among them.

        ``rest`` is what the others and the remaining text take; with ``stands`` the file stands by that alone.
        """
        subjects = _subjects(loose)
        staying = dict(subjects)
        parts: Parts = {}
        total = rest + _size(loose)
        for title, group in sorted(subjects.items(), key=lambda pair: (-_size(pair[1]), pair[1][0].start)):
            if total <= self._sizes.largest or title is None or (len(staying) == 1 and not stands):
                continue
            goal = self._subject_path(path, title, group)
            parts |= self.parts(goal, group, 0, stands=False) if _size(group) > self._sizes.room else {goal: group}
            total -= _size(staying.pop(title))
        left = [unit for group in staying.values() for unit in group]
        left.sort(key=lambda unit: unit.start)
        if total > self._sizes.largest and left:
            return parts | self._by_time(path, left, rest, stands=stands)
        return parts | ({path: left} if left else {})

    def _subject_path(self, path: TopicPath, title: str, group: Sequence[Unit]) -> TopicPath:
        name = slug(title) or f"part-{hashlib.sha256(title.encode()).hexdigest()[:8]}"
        if is_cell_name(name):
            name = f"{name}_"
        number = 1
        while True:
            found = TopicPath(f"{path.removesuffix('.md')}/{part_name(name, number)}.md")
            if self._takes(found, group[0].titles[:1]):
                return found
            number += 1

    def _by_time(self, path: TopicPath, loose: Sequence[Unit], rest: int, *, stands: bool) -> Parts:
        found = cells(loose, self._when, lambda unit: unit.size, self._sizes.room)
        folder, file = posixpath.split(path)
        stem = file.removesuffix(".md")
        if is_cell_name(stem):
            return {TopicPath(f"{folder}/{_beside(stem, cell)}.md"): list(cell.items) for cell in found}
        staying: list[Unit] = []
        while found and self._stays(found[-1], staying, rest, stands=stands):
            staying += found.pop().items
        parts = {TopicPath(f"{folder}/{stem}/{cell.name}.md"): list(cell.items) for cell in found}
        staying.sort(key=lambda unit: unit.start)
        return parts | ({path: staying} if staying else {})

    def _stays(self, cell: Cell[Unit], staying: Sequence[Unit], rest: int, *, stands: bool) -> bool:
        """Whether the newest stretch that is left stays in the file, which must not end up empty."""
        total = rest + _size(staying) + _size(cell.items)
        return total <= self._sizes.kept or (not staying and (total <= self._sizes.largest or not stands))


def _subjects(loose: Sequence[Unit]) -> dict[str | None, list[Unit]]:
    """Paragraphs by the first heading that tells them apart; ``None`` for what has none but a time."""
    shared = _shared([unit.titles for unit in loose])
    groups: dict[str | None, list[Unit]] = {}
    for unit in loose:
        title = unit.titles[shared] if len(unit.titles) > shared else None
        groups.setdefault(None if title is None or is_time(title) else title, []).append(unit)
    return groups


def _shared(paths: Sequence[tuple[str, ...]]) -> int:
    """How many headings all have in common."""
    if not paths:
        return 0
    first, last = min(paths), max(paths)
    length = min(len(first), len(last))
    return next((depth for depth in range(length) if first[depth] != last[depth]), length)


def _size(units: Sequence[Unit]) -> int:
    return sum(unit.size for unit in units)


def _beside(stem: str, cell: Cell[Unit]) -> str:
    """The name of a stretch that leaves a file of a stretch; the parts of the same one are counted on from it."""
    base, number = part_number(stem)
    name, further = part_number(cell.name)
    return part_name(name, number + further - 1) if name == base else cell.name
